// Runs the mailbox as a process of its own, as the trial on a cluster does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { claimPort } from '@paraph/paraph/installation/ports'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'
import { waitFor } from '@paraph/testing/wait-for'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/** An address of this machine that is not the loopback, as a pod has. */
const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** True if a server at the address accepts a connection. */
const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

it('the process takes mail from every pod, shows it only at localhost, and ends after SIGTERM [local-stack: the mailbox]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-mailbox-'))
  const [port, smtpPort] = [await claimPort(), await claimPort()]
  const child = spawn(process.execPath, [...FROM_SOURCES, MAIN], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      BASE_URL: 'http://localhost:8080',
      PORT: String(port),
      SMTP_PORT: String(smtpPort),
      MAIL_FOLDER: join(folder, 'mails'),
      SANDBOX_KEY: 'paraph_test_x',
      SANDBOX_KEY_PATH: 'Secret paraph-sandbox-key',
      SIGN_IN: 'owner@example.test (owner)',
    },
  })
  const ended = once(child, 'exit')
  try {
    await waitFor(async () => expect(await accepts('127.0.0.1', port)).toBe(true), { timeout: 30_000 })
    const page = await (await fetch(`http://localhost:${port}/`)).text()
    for (const part of [
      'paraph_test_x',
      'Secret paraph-sandbox-key',
      'http://localhost:8080/api/external/v2/contracts',
    ])
      expect(page).toContain(part)
    if (outside !== undefined) {
      expect(await accepts(outside, smtpPort)).toBe(true)
      expect(await accepts(outside, port)).toBe(false)
    }
  } finally {
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    await rm(folder, { recursive: true })
    expect(code).toBe(0)
  }
})
