// Makes a base backup of a local stack's Postgres, archives its WAL, and restores both to a point in time, following docs/how-to/operators/backup-restore.md.
// Uses only the tools of Postgres (chapter "Continuous Archiving" of its manual); a real installation uses a backup program.
import { execFile } from 'node:child_process'
import { access, appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '@paraph/database/provision'
import type { ProcessSpec } from '@paraph/local/supervisor'
import { prepareServer } from './server-alone.js'
import { until } from '../until.js'

const run = promisify(execFile)

/** Creates the database cluster of a data folder before the first start, configured to archive every WAL file in `folder`/archive. */
export async function makeArchivedCluster(folder: string): Promise<void> {
  const { spec } = await prepareServer(folder)
  const archive = join(folder, 'archive')
  await mkdir(archive)
  await ownBy(archive, spec)
  await appendFile(
    join(spec.cwd, 'postgresql.conf'),
    // Never overwrites an archived file: otherwise a restored server could overwrite the history of the original server.
    `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  )
}

/** Makes a base backup of the running server: copies its files between pg_backup_start and pg_backup_stop. */
export async function backUp(folder: string, url: string): Promise<void> {
  const [from, to] = [join(folder, 'postgres'), join(folder, 'backup')]
  await mkdir(to, { mode: 0o700 })
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start('test', fast => true)`)
    // tar exits with 1 if a file changed or disappeared during the copy. The WAL repairs such files.
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

/** Waits until all transactions committed so far are in the archive. */
export async function untilArchived(folder: string, url: string): Promise<void> {
  const file = await withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
    return rows[0]!.file
  })
  await until(`${file} in the archive`, () => isThere(join(folder, 'archive', file)))
}

/**
 * Deletes all files of the cluster, copies the base backup, and configures Postgres to replay the WAL up to `moment` at its next start.
 * @param moment such as `2026-11-23 10:00:00+00`; not with `Z` or a zone name, which Postgres cannot read at that time
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
      // Refuses connections until the recovery is complete.
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
