import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { choosePorts, claimPort, isPortFree } from './ports.js'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'paraph-ports-'))))
afterEach(() => rm(folder, { recursive: true }))

const file = () => join(folder, 'ports.json')
const anyPort = { gateway: 0, mailbox: 0 }

it('every start uses the same free ports, so that links stay valid [local-stack]', async () => {
  const first = await choosePorts(file(), anyPort)
  expect(new Set(Object.values(first)).size).toBe(11)
  expect(await choosePorts(file(), anyPort)).toEqual(first)
  const once = await choosePorts(file(), { gateway: 1_234, mailbox: 0 }, () => Promise.resolve(true))
  expect(once.gateway).toBe(1_234)
  expect(await choosePorts(file(), anyPort)).toEqual(first)
})

it('a public port that is in use is an error, and an internal port that is in use is replaced [local-stack]', async () => {
  const { postgres, gateway } = await choosePorts(file(), anyPort)
  const taken = (port: number) => (each: number) => Promise.resolve(each !== port)
  expect((await choosePorts(file(), anyPort, taken(postgres))).postgres).not.toBe(postgres)
  await expect(choosePorts(file(), anyPort, taken(gateway))).rejects.toThrow(`Port ${gateway} is in use.`)
  await expect(choosePorts(file(), { gateway: 8_080, mailbox: 0 }, taken(8_080))).rejects.toThrow('PARAPH_PORT')
})

it('a chosen port is claimed, so that no other start chooses it before a process listens', async () => {
  const port = await claimPort()
  const other = createSocket('udp4')
  const bound = once(other, 'listening')
  other.bind({ port, address: '127.0.0.1', exclusive: true })
  await expect(bound).rejects.toThrow('EADDRINUSE')
  expect(await isPortFree(port)).toBe(true)
})

it('a listener on either loopback address counts as in use', async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer()
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(0, host, () => resolve(true))
    })
    if (!listening) continue
    const { port } = server.address() as { port: number }
    expect(await isPortFree(port)).toBe(false)
    await new Promise((resolve) => server.close(resolve))
    expect(await isPortFree(port)).toBe(true)
  }
})
