// Ends the processes of a launcher that was killed. Every process of a stack has its data folder as an argument, so a kill -9
// leaves nothing unrecorded. Postgres is found by its own file (postgres.ts). [local-stack]
import { endProcess, listProcesses } from '@paraph/paraph/installation/process-table'

const GRACE_MS = 5_000

/** The argument that names the stack of a process. The services ignore it. */
export const stackMark = (dataFolder: string): string => `--paraph-stack=${dataFolder}`

/**
 * Ends every process with the argument for `dataFolder`: SIGTERM, then SIGKILL.
 * @returns their number
 */
export async function endLeftovers(dataFolder: string, graceMs = GRACE_MS): Promise<number> {
  const mark = stackMark(dataFolder)
  const left = (await listProcesses()).filter(({ pid, commandLine }) => {
    // It is the last argument: `/srv/a` must not match the stack in `/srv/a b` or `/srv/ab`.
    return pid !== process.pid && commandLine.endsWith(` ${mark}`)
  })
  await Promise.all(left.map(({ pid }) => endProcess(pid, 'SIGTERM', graceMs)))
  return left.length
}
