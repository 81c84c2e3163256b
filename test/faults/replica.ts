// A streaming replica of a fault stack's Postgres, and the fail-over to it. Uses only what Postgres has itself. [F45]
// Owns: the replica and the change of address. Does not own: which of its losses are acceptable (scenarios/failover.ts).
import { appendFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { withClient } from '@paraph/database/provision'
import { preparePostgres } from '@paraph/local/postgres'
import { postgresLevel } from '@paraph/local/process-log'
import { claimPort } from '@paraph/paraph/installation/ports'
import { backUp } from '../harness/stack/cluster-backup.js'
import { until } from '../harness/until.js'
import type { Infrastructure, Undo } from './base-stack.js'
import { startTcpProxy } from './tcp-proxy.js'

const run = promisify(execFile)

interface ReplicaOptions extends Pick<Infrastructure, 'folder' | 'ports' | 'secrets' | 'postgres' | 'keep'> {
  /** The URL of the primary, as the superuser. */
  url: string
  /** A commit waits until the replica has it. */
  isSynchronous: boolean
}

/** Starts a replica from a base backup; resolves when it follows the primary. */
export async function startReplica(
  undo: Undo,
  { folder, ports, secrets, postgres, keep, url, isSynchronous }: ReplicaOptions,
) {
  const line = await startTcpProxy(ports.postgres)
  undo.push(line.close)
  await backUp(folder, url)
  const [home, port, password] = [join(folder, 'backup'), await claimPort(), secrets.superuserPassword]
  await appendFile(
    join(home, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${line.port} user=postgres password=${password} application_name=replica'\n`,
  )
  await writeFile(join(home, 'standby.signal'), '')
  const { uid, gid } = await stat(join(folder, 'postgres'))
  await run('chown', ['-R', `${uid}:${gid}`, home])
  const own = new URL(url)
  own.port = String(port)
  const spec = await preparePostgres({ folder: home, port, password, url: own.href })
  const replica = keep({ ...spec, name: 'replica' }, postgresLevel)
  await replica.start()
  undo.push(replica.stop)
  await withClient(url, async (client) => {
    if (isSynchronous) await client.query(`alter system set synchronous_standby_names = 'replica'`)
    await client.query('select pg_reload_conf()')
    await until('a replica that follows', async () => {
      const { rows } = await client.query<{ state: string }>(
        `select state from pg_stat_replication where state = 'streaming' and (sync_state = 'sync') = $1`,
        [isSynchronous],
      )
      return rows[0] && true
    })
  })

  return {
    /** The connection of the replica to the primary. */
    line,
    /**
     * Kills the primary, promotes the replica, and moves the address of the primary to it.
     * @returns the milliseconds without a server
     */
    async failOver(): Promise<number> {
      const killedAt = performance.now()
      process.kill(postgres.pid()!, 'SIGKILL')
      // In the same turn, so that the supervisor does not start the primary again.
      const ended = postgres.stop()
      // The machine of the primary is lost, and with it every commit that the replica has not received.
      await line.become('refuse')
      await ended
      await withClient(own.href, (client) => client.query('select pg_promote()'))
      const moved = await startTcpProxy(port, ports.postgres)
      undo.push(moved.close)
      return performance.now() - killedAt
    },
  }
}
