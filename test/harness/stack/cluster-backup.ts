// A base backup and the archived WAL of a local stack's Postgres, and a restore of it to a moment: the commands of docs/backup.md.
// The tools of Postgres itself are sufficient here (its chapter "Continuous Archiving"); an installation uses a backup program.
import { execFile } from 'node:child_process'
import { access, appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '@paraph/database/provision'
import type { ProcessSpec } from '@paraph/local/supervisor'
import { prepareServer } from './server-alone.js'
import { until } from '../until.js'

const run = promisify(execFile)

/** Creates the cluster of a data folder before its first start, and archives every WAL file beside it. */
export async function makeArchivedCluster(folder: string): Promise<void> {
  const { spec } = await prepareServer(folder)
  const archive = join(folder, 'archive')
  await mkdir(archive)
  await ownBy(archive, spec)
  await appendFile(
    join(spec.cwd, 'postgresql.conf'),
    // Never overwrites an existing file: a second server would write into the first one's history.
    `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  )
}

/** Copies the running server's files between two marks in its WAL. */
export async function backUp(folder: string, url: string): Promise<void> {
  const [from, to] = [join(folder, 'postgres'), join(folder, 'backup')]
  await mkdir(to, { mode: 0o700 })
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('test', fast => true)`)
    // 1: a file changed or was deleted while it was read, which the WAL repairs.
    await run('bash', [
      '-c',
      'tar -C "$0" --exclude="./pg_wal/*" --exclude="./postmaster.*" -cf - . | tar -C "$1" -xpf - && [ "${PIPESTATUS[0]}" -le 1 ]',
      from,
      to,
    ])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile)
  })
}

/** Waits until everything that was committed so far is in the archive. */
export async function untilArchived(folder: string, url: string): Promise<void> {
  const file = await withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
    return rows[0]!.file
  })
  await until(`${file} in the archive`, () => isThere(join(folder, 'archive', file)))
}

/**
 * Deletes every file of the cluster, and restores its state at `moment`: base backup, WAL up to then. Nothing runs yet.
 * @param moment in a format without zone names, which Postgres cannot read yet: `2026-11-23 10:00:00+00`, never with a Z
 */
export async function restoreTo(folder: string, moment: string): Promise<void> {
  const [from, to] = [join(folder, 'backup'), join(folder, 'postgres')]
  const owner = await stat(to)
  await rm(to, { recursive: true, force: true, maxRetries: 5 })
  await run('cp', ['-a', from, to])
  await appendFile(
    join(to, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp ${join(folder, 'archive')}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
      // No client reads during recovery.
      `hot_standby = off\n`,
    ].join('\n'),
  )
  await writeFile(join(to, 'recovery.signal'), '')
  await run('chown', ['-R', `${owner.uid}:${owner.gid}`, to])
}

const ownBy = async (path: string, { uid, gid }: ProcessSpec): Promise<void> =>
  uid === undefined || gid === undefined ? undefined : chown(path, uid, gid)

const isThere = (path: string): Promise<true | undefined> =>
  access(path).then(
    () => true,
    () => undefined,
  )
