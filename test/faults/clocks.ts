// Clocks that a test can set wrong while processes run, by libfaketime. Timers and the monotonic clock stay right. [F12, F32]
// Owns: the clock of each process. Does not own: the processes. Needs the Debian package libfaketime.
import { execFile } from 'node:child_process'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ProcessSpec } from '@paraph/local/supervisor'

const run = promisify(execFile)

/** The dynamic linker replaces `$LIB` by the folder of the machine's libraries. */
const LIBRARY = { LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1' }

const ENVIRONMENT = {
  ...LIBRARY,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  // Reads the file at each look at the clock, so that all processes of Postgres step at the same moment.
  FAKETIME_NO_CACHE: '1',
  NO_FAKE_STAT: '1',
}

/** Creates the clocks in `folder`. Initially all are right: a process without a file has the clock of the machine. */
export async function makeClocks(folder: string) {
  const clocks = join(folder, 'clocks')
  await mkdir(clocks)
  const fileOf = (name: string): string => join(clocks, name)

  return {
    /** Sets the clock of a process and its children to the right time plus `seconds`. */
    async set(name: string, seconds: number): Promise<void> {
      const draft = `${fileOf(name)}.new`
      await writeFile(draft, `+${seconds}\n`)
      // Replaces the file, because an empty one would set the clock right for a moment.
      await rename(draft, fileOf(name))
    },
    /** The process, with a clock of its own. */
    within: (spec: ProcessSpec): ProcessSpec => ({
      ...spec,
      env: { ...spec.env, ...ENVIRONMENT, FAKETIME_TIMESTAMP_FILE: fileOf(spec.name) },
    }),
  }
}

export type Clocks = Awaited<ReturnType<typeof makeClocks>>

/** Whether processes of a test can have their own clocks on this machine. */
export async function canSetClocks(): Promise<boolean> {
  const env = { ...process.env, ...LIBRARY, FAKETIME: '+2h' }
  const read = await run('date', ['+%s'], { env }).catch(() => undefined)
  return Number(read?.stdout) * 1_000 > Date.now() + 3_600_000
}
