// Fail points: named places in the code at which a test can crash this process. [F16]
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'

let folder: string | undefined

/**
 * Arms fail points: a file in `directory` with the name of a point kills the first process that reaches it, with SIGKILL. The process
 * removes the file first; that is atomic, so each file kills one process.
 * @param directory undefined arms no fail point: each then costs one comparison. config.ts rejects a directory in production
 */
export function watchFailPoints(directory: string | undefined): void {
  folder = directory
}

/** Kills the process if the point is armed. @param name `<operation>.<progress>`, such as `sign.submitted` */
export function failPoint(name: string): void {
  if (folder === undefined) return
  try {
    unlinkSync(join(folder, name))
  } catch {
    // The point is not armed, or another process was faster.
    return
  }
  process.kill(process.pid, 'SIGKILL')
}
