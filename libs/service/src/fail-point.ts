// Named places at which a test can end this process as a crash would. [F16]
// Owns: how a point is armed and what happens there. Does not own: where the points stand; each has a name in the file it is in.
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'

let folder: string | undefined

/**
 * From now on a file in `directory` that is named like a point arms it: whoever comes there first removes the file and ends its
 * own process by SIGKILL. Removing is atomic, so each file kills once and the process that follows goes on.
 * @param directory undefined arms nothing, and a point then costs one comparison. Never set in production (config.ts refuses it)
 */
export function watchFailPoints(directory: string | undefined): void {
  folder = directory
}

/** Does nothing, or never returns. @param name `<what is under way>.<how far it is>`, such as `sign.submitted` */
export function failPoint(name: string): void {
  if (folder === undefined) return
  try {
    unlinkSync(join(folder, name))
  } catch {
    // Not armed, or another process was faster.
    return
  }
  process.kill(process.pid, 'SIGKILL')
}
