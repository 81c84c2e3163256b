// Ends what a launcher that was killed left running. Every process of a stack carries its data folder as an argument, so
// that nothing has to be written down before a kill -9. Postgres is found by its own file (postgres.ts). [local-stack]
import { endProcess, listProcesses } from './process-table.js'

const GRACE_MS = 5_000

/** The argument that says which stack a process belongs to. The services do not read it. */
export const stackMark = (dataFolder: string): string => `--paraph-stack=${dataFolder}`

/**
 * Ends every process that carries the mark of `dataFolder`: SIGTERM, then SIGKILL.
 * @returns how many there were
 */
export async function endLeftovers(dataFolder: string, graceMs = GRACE_MS): Promise<number> {
  const mark = stackMark(dataFolder)
  const left = (await listProcesses()).filter(({ pid, commandLine }) => {
    // The mark is the last argument: `/srv/a` must not end the stack in `/srv/a b` or `/srv/ab`.
    return pid !== process.pid && commandLine.endsWith(` ${mark}`)
  })
  await Promise.all(left.map(({ pid }) => endProcess(pid, 'SIGTERM', graceMs)))
  return left.length
}
