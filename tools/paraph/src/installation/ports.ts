// Which port everything listens on. Free ports are chosen once per data folder and kept, so that links in mails and
// addresses in scripts stay good. [local-stack]
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { z } from 'zod'
import { readKeptFile, writePrivateFile } from './private-file.js'
import { Refusal } from './refusal.js'

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
type PortName = 'gateway' | 'mailbox' | (typeof INNER_PORTS)[number]

export type Ports = Record<PortName, number>

// Below the range that Linux and macOS hand to outgoing connections: a service that restarts must find its port again.
const FREE_PORT_MIN = 20_000
const FREE_PORT_MAX = 32_000
const TRIES_MAX = 200

/**
 * Chooses every port. The gateway's and the mailbox's are as wanted; where 0 is wanted, and for all others, the kept port,
 * or a free one that is kept from now on.
 * @throws Refusal when a port that people know is in use, or the file is broken
 */
export async function choosePorts(
  path: string,
  wanted: { gateway: number; mailbox: number },
  isFree: (port: number) => Promise<boolean> = isPortFree,
): Promise<Ports> {
  const remedy = 'Delete it, and free ports are chosen anew; links in old mails may then lead nowhere.'
  const kept: Record<string, number> = (await readKeptFile(path, z.record(z.string(), z.int()), remedy)) ?? {}
  const chosen: Partial<Ports> = {}
  const settings = { gateway: 'PARAPH_PORT', mailbox: 'PARAPH_MAILBOX_PORT' } as const
  for (const name of ['gateway', 'mailbox'] as const) {
    const port = wanted[name] || kept[name]
    if (port === undefined) continue
    if (!(await isFree(port))) {
      throw new Refusal(
        `Port ${port} is in use. Stop what uses it, or set ${settings[name]} to another port (0 takes any).`,
      )
    }
    chosen[name] = port
  }
  for (const name of ['gateway', 'mailbox', ...INNER_PORTS] as const) {
    chosen[name] ??= await freePort(kept[name], new Set(Object.values(chosen)), isFree)
  }
  const ports = chosen as Ports
  // A port that somebody wanted by number is not ours to keep.
  const toKeep = { ...kept, ...ports }
  for (const name of ['gateway', 'mailbox'] as const) {
    if (wanted[name] === 0) continue
    if (kept[name] === undefined) delete (toKeep as Partial<Ports>)[name]
    else toKeep[name] = kept[name]
  }
  await writePrivateFile(path, `${JSON.stringify(toKeep, undefined, 2)}\n`)
  return ports
}

async function freePort(
  kept: number | undefined,
  taken: ReadonlySet<number>,
  isFree: (port: number) => Promise<boolean>,
): Promise<number> {
  if (kept !== undefined && !taken.has(kept) && (await isFree(kept))) return kept
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(FREE_PORT_MIN, FREE_PORT_MAX)
    if (!taken.has(port) && (await isFree(port))) return port
  }
  throw new Refusal(
    `No free port was found between ${FREE_PORT_MIN} and ${FREE_PORT_MAX}. Stop some of what listens there.`,
  )
}

/** True when nothing listens on `port`, on either loopback address: `localhost` may mean both. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    // A machine without IPv6 has no ::1 to be taken.
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(!['EADDRINUSE', 'EACCES'].includes(error.code ?? '')),
    )
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
