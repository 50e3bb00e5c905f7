import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Resident bytes of a process; null when it is gone or the system does not tell. */
async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform === 'linux') {
    try {
      const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
      return kibibytes === undefined ? null : Number(kibibytes) * 1024
    } catch {
      return null
    }
  }
  if (process.platform === 'win32') return null
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) => {
      resolve(error ? null : Number(stdout) * 1024)
    })
  })
}

/** Milliseconds between two looks: cheap where the system has a file for it, and rare where it takes a process. */
const interval = process.platform === 'linux' ? 10 : 200

/** Watches the resident memory of a process and calls back once when it is over the limit; returns what ends the watch. */
export function watchMemory(pid: number, limit: number, onExceeded: (bytes: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = async (): Promise<void> => {
    const bytes = await residentBytes(pid)
    if (isOver) return
    if (bytes === null || bytes > limit) {
      isOver = true
      if (bytes !== null) onExceeded(bytes)
      return
    }
    timer = setTimeout(look, interval).unref()
  }
  timer = setTimeout(look, interval).unref()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
