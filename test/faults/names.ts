// Names that do not resolve, and then do: processes with a file of hosts of their own, and a name server that nobody is at. [H6]
// Owns: who knows which name. Does not own: what the processes are. Needs root, for a mount is the only way that is the system's own.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const NAMES = { databases: 'databases.paraph.test', brokers: 'brokers.paraph.test', mail: 'mail.paraph.test' } as const
type Named = keyof typeof NAMES

/** Where a service is told an address, and of what. */
const SETTINGS: Readonly<Record<string, Named>> = {
  DATABASE_URL: 'databases',
  DATABASE_DIRECT_URL: 'databases',
  BUS_DATABASE_URL: 'databases',
  KAFKA_BROKERS: 'brokers',
  SMTP_URL: 'mail',
}

/** Over the system's own, for this process and its children alone; then the process itself, under the same pid. */
const BEHIND_OWN_FILES = 'mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'

/** All names are known at first. */
export async function makeNames(folder: string) {
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const known = new Set<Named>(Object.keys(NAMES) as Named[])
  // In place: a mount is of the file, not of its name.
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
    /** How to start what would be started by `command`. */
    within: ({ command, args, env }: { command: string; args: string[]; env: Record<string, string> }) => ({
      command: 'unshare',
      args: ['--mount', 'sh', '-c', BEHIND_OWN_FILES, hosts, resolver, command, ...args],
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const what = SETTINGS[name]
          const named = what ? value.replaceAll('127.0.0.1', NAMES[what]) : value
          // Only to its own machine does it speak without TLS unasked.
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

/** Whether processes of a test can have files of hosts of their own here. */
export const canName = (): Promise<boolean> =>
  run('unshare', ['--mount', 'sh', '-c', 'mount --bind /etc/hosts /etc/hosts']).then(
    () => true,
    () => false,
  )
