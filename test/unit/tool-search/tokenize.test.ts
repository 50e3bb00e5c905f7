import { expect, test } from 'vitest'
import { fold, words } from '../../../src/tool-search/tokenize.ts'

test.each([
  ['createBranch', 'createbranch: creat branch'],
  ['create_branch', 'creat | branch'],
  ['list-pull-requests', 'list | pull | request'],
  ['XMLHttpRequest', 'xmlhttprequest: xml http request'],
  ['mergePDFs', 'mergepdf: merg pdf'],
  ['APIs', 'api'],
  ['pdfs dns news', 'pdf | dns | news'],
  ['base64', 'base64: base'],
  ['s3', 's3:'],
  ['2fa', '2fa: fa'],
  ['v2', 'v2:'],
  ["what's", 'what | s'],
  ['café naïve', 'cafe | naiv'],
  ['Straße', 'strass'],
  ['1234 items', '1234 | item'],
  ['搜索文件', '搜索文件: 搜索 索文 文件'],
  ['用git搜索', '用: 用 | git | 搜索: 搜索'],
  ['ファイルを読む', 'ファイルを読む: ファ ァイ イル ルを を読 読む'],
  ['파일', '파일: 파일'],
  ['a\u0000b\u001b[31mc', 'a | b | 31mc: mc'],
  ['…—!', ''],
])('%s', (text, expected) => {
  const read = words(text).map(({ whole, parts, text: spelt }) =>
    parts.length > 0 || /\d\D|\D\d/.test(spelt) ? `${whole}: ${parts.join(' ')}`.trim() : whole,
  )
  expect(read.join(' | ')).toBe(expected)
})

test('folding keeps kana marks and Hangul syllables whole', () => {
  expect(fold('ガード 한국어 Ｆｕｌｌ é')).toBe('ガード 한국어 Full e')
})
