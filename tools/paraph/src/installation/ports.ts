// The ports of a stack. Free ports are chosen once per data folder and stored, so that links in mails and addresses in scripts
// stay valid. [local-stack]
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { z } from 'zod'
import { readPrivateFile, writePrivateFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'

export const INNER_PORTS = [
  'postgres',
  'smtp',
  'gatewayInternal',
  'contract',
  'contractInternal',
  'signing',
  'signingInternal',
  'notification',
  'notificationInternal',
] as const
const PUBLIC_PORTS = ['gateway', 'mailbox'] as const

export type Ports = Record<(typeof PUBLIC_PORTS | typeof INNER_PORTS)[number], number>

// Below the range of Linux and macOS for outgoing connections, so that a restarted service finds its port free.
const FREE_PORT_MIN = 20_000
const FREE_PORT_MAX = 32_000
const TRIES_MAX = 200

/**
 * Chooses every port. The gateway and the mailbox get the wanted port unless that is 0. Every other port is the stored port, or a free
 * port, which is then stored.
 * @throws UserError when a public port is in use, or the file is broken
 */
export async function choosePorts(
  path: string,
  wanted: { gateway: number; mailbox: number },
  isFree: (port: number) => Promise<boolean> = isPortFree,
): Promise<Ports> {
  const remedy = 'Delete it: the next start chooses free ports. Links in old mails may then stop working.'
  const kept: Record<string, number> = (await readPrivateFile(path, z.record(z.string(), z.int()), remedy)) ?? {}
  const chosen: Partial<Ports> = {}
  for (const name of PUBLIC_PORTS) {
    const port = wanted[name] || kept[name]
    if (port === undefined) continue
    if (!(await isFree(port))) {
      const setting = { gateway: 'PARAPH_PORT', mailbox: 'PARAPH_MAILBOX_PORT' }[name]
      throw new UserError(`Port ${port} is in use. Stop what uses it, or set ${setting} to another port (0 takes any).`)
    }
    chosen[name] = port
  }
  for (const name of [...PUBLIC_PORTS, ...INNER_PORTS])
    chosen[name] ??= await freePort(kept[name], new Set(Object.values(chosen)), isFree)
  // A port that was given by number is not stored.
  const given = PUBLIC_PORTS.filter((name) => wanted[name] !== 0).map((name) => [name, kept[name]])
  const stored = { ...kept, ...chosen, ...Object.fromEntries(given) }
  await writePrivateFile(path, `${JSON.stringify(stored, undefined, 2)}\n`)
  return chosen as Ports
}

async function freePort(kept: number | undefined, taken: ReadonlySet<number>, isFree = isPortFree): Promise<number> {
  if (kept !== undefined && !taken.has(kept) && (await isFree(kept))) {
    // Keeps the stored port even if the claim fails, because only one start at a time locks the folder.
    await claim(kept)
    return kept
  }
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(FREE_PORT_MIN, FREE_PORT_MAX)
    if (!taken.has(port) && (await isFree(port)) && (await claim(port))) return port
  }
  throw new UserError(
    `No free port was found between ${FREE_PORT_MIN} and ${FREE_PORT_MAX}. Stop some of the programs that listen on these ports.`,
  )
}

/** A free port that none of our other programs chooses while this process lives. */
export const claimPort = (): Promise<number> => freePort(undefined, new Set())

/**
 * Claims a port between processes. Two programs that start concurrently find the same port free, and the later one cannot listen. A UDP
 * socket of the same number is the claim: it does not affect TCP, and the system closes it when the process ends.
 * @returns false when the port is claimed already
 */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })
}

/** True when nothing listens on `port` of either loopback address: `localhost` may resolve to both. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    // Without IPv6 the error has another code, and ::1 is not in use.
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(!['EADDRINUSE', 'EACCES'].includes(error.code ?? '')),
    )
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
