/** Text of a page or file: by its byte order mark, what the server says, what its first bytes say, else UTF-8, and Windows-1252 where it is no UTF-8. */
export function decodeText(bytes: Uint8Array, contentType: string): { text: string; charset: string } {
  const named = markOf(bytes) ?? decoderName(charsetIn(contentType)) ?? decoderName(declaredIn(bytes))
  if (named !== null) return { text: new TextDecoder(named).decode(bytes), charset: named }
  try {
    // A cut in the middle of a character is no sign of another encoding.
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }),
      charset: 'utf-8',
    }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' }
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return null
}

function charsetIn(text: string): string | null {
  return /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(text)?.[1] ?? null
}

/** `<meta charset>`, `<meta http-equiv>` or an XML declaration. */
function declaredIn(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const declaration = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1]
  if (declaration !== undefined) return declaration
  const meta = /<meta\s[^>]{0,300}charset\s*=[^>]{0,100}/i.exec(start)?.[0]
  const found = meta === undefined ? null : charsetIn(meta)
  // What was read as single bytes so far cannot be UTF-16.
  return found !== null && /^utf-?16/i.test(found) ? 'utf-8' : found
}

function decoderName(label: string | null): string | null {
  if (label === null) return null
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}
