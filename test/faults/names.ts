// Names that do not resolve at first, and do later: processes with their own hosts file, and an unreachable name server. [H6]
// Owns: the resolvable names of each process. Does not own: the processes. Needs root, because only a mount affects the system's resolver.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NAMES = { databases: 'databases.paraph.test', brokers: 'brokers.paraph.test', mail: 'mail.paraph.test' } as const
type Named = keyof typeof NAMES

/** The settings that contain an address of a service, and of what. */
const SETTINGS: Readonly<Record<string, Named>> = {
  DATABASE_URL: 'databases',
  DATABASE_DIRECT_URL: 'databases',
  BUS_DATABASE_URL: 'databases',
  KAFKA_BROKERS: 'brokers',
  SMTP_URL: 'mail',
}

/** Mounts it over the system's own, for this process and its children alone; then becomes the process, under the same pid. */
const BEHIND_OWN_FILES = 'mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'

/** Initially all names resolve. */
export async function makeNames(folder: string) {
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const known = new Set<Named>(Object.keys(NAMES) as Named[])
  // Writes in place, because a mount is of the file, not of its name.
  const write = (): Promise<void> =>
    writeFile(
      hosts,
      ['127.0.0.1 localhost', ...[...known].map((each) => `127.0.0.1 ${NAMES[each]}`)]
        .map((line) => `${line}\n`)
        .join(''),
    )
  await write()
  await writeFile(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  return {
    /** The command that starts `command` with the names. */
    within: ({ command, args, env }: { command: string; args: string[]; env: Record<string, string> }) => ({
      command: 'unshare',
      args: ['--mount', 'sh', '-c', BEHIND_OWN_FILES, hosts, resolver, command, ...args],
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const what = SETTINGS[name]
          const named = what ? value.replaceAll('127.0.0.1', NAMES[what]) : value
          // Connections without TLS are the default only to its own machine.
          return [name, what === 'mail' ? `${named}?tls=off` : named]
        }),
      ),
    }),
    async forget(...which: readonly Named[]): Promise<void> {
      for (const each of which) known.delete(each)
      await write()
    },
    async learn(...which: readonly Named[]): Promise<void> {
      for (const each of which) known.add(each)
      await write()
    },
  }
}

/** Whether processes of a test can have their own hosts files here. */
export const canName = (): Promise<boolean> =>
  run('unshare', ['--mount', 'sh', '-c', 'mount --bind /etc/hosts /etc/hosts']).then(
    () => true,
    () => false,
  )
