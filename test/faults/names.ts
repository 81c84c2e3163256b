// Host names that a test can make unresolvable: processes get their own hosts file and an unreachable name server. [H6]
// Owns: the resolvable names of the processes. Does not own: the processes. Needs root, because only a mount affects the system's resolver.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NAMES = { databases: 'databases.paraph.test', brokers: 'brokers.paraph.test', mail: 'mail.paraph.test' } as const
type Named = keyof typeof NAMES

/** The settings that contain an address, and the part to which the address belongs. */
const SETTINGS: Readonly<Record<string, Named>> = {
  DATABASE_URL: 'databases',
  DATABASE_DIRECT_URL: 'databases',
  BUS_DATABASE_URL: 'databases',
  KAFKA_BROKERS: 'brokers',
  SMTP_URL: 'mail',
}

/** Mounts both files over those of the system, for this process and its children only; then becomes the command, with the same pid. */
const BEHIND_OWN_FILES = 'mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'

/** Creates the files in `folder`. Initially all names resolve. */
export async function makeNames(folder: string) {
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const known = new Set<Named>(Object.keys(NAMES) as Named[])
  // Writes in place, because the mount refers to the file, not to its path.
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
    /** The command that starts `command` with the names in its settings. */
    within: ({ command, args, env }: { command: string; args: string[]; env: Record<string, string> }) => ({
      command: 'unshare',
      args: ['--mount', 'sh', '-c', BEHIND_OWN_FILES, hosts, resolver, command, ...args],
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const what = SETTINGS[name]
          const named = what ? value.replaceAll('127.0.0.1', NAMES[what]) : value
          // Connections without TLS are the default only for a mail server at 127.0.0.1.
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

/** Whether processes of a test can have their own hosts files on this machine. */
export const canName = (): Promise<boolean> =>
  run('unshare', ['--mount', 'sh', '-c', 'mount --bind /etc/hosts /etc/hosts']).then(
    () => true,
    () => false,
  )
