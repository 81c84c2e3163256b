// `paraph doctor` on a running stack: healthy, and with one thing wrong at a time. What is wrong is in a copy of the settings, so the
// stack itself goes on. [local-stack: the operator's command line]
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { claimPort, type Ports } from '@paraph/paraph/installation/ports'
import { makeSealCertificate } from '@paraph/paraph/installation/seal-certificate'
import type { Secrets } from '@paraph/paraph/installation/secrets'
import { databaseUrlOf, paraph } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

interface Answer {
  broken: number
  look: number
  ok: number
  findings: { subject: string; level: string; found: string; remedy?: string; page?: string }[]
}

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())
const copies: string[] = []
afterEach(async () => {
  for (const folder of copies.splice(0)) await rm(folder, { recursive: true })
})

/** A data folder with the settings of the stack, changed by `change`. */
async function copySettings(change: (settings: { secrets: Secrets; ports: Ports }) => void | Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-doctor-'))
  copies.push(folder)
  const read = async (name: string) => JSON.parse(await readFile(join(running.folder, name), 'utf8')) as unknown
  const settings = { secrets: (await read('secrets.json')) as Secrets, ports: (await read('ports.json')) as Ports }
  await change(settings)
  for (const name of ['secrets', 'ports'] as const) {
    await copyFile(join(running.folder, `${name}.json`), join(folder, `${name}.json`))
    await writeFile(join(folder, `${name}.json`), JSON.stringify(settings[name]))
  }
  return folder
}

async function examine(folder: string): Promise<{ code: number | null; answer: Answer; wrong: string[] }> {
  const { code, stdout } = await paraph(folder, 'doctor', '--json')
  const answer = JSON.parse(stdout) as Answer
  const wrong = answer.findings.filter(({ level }) => level !== 'ok')
  return { code, answer, wrong: wrong.map(({ level, subject, found }) => `${level} ${subject}: ${found}`) }
}

it('a running stack is healthy: every check is ok, on one page without a secret or an address [I14]', async () => {
  const { code, answer, wrong } = await examine(running.folder)
  expect(wrong).toEqual([])
  expect(code).toBe(0)
  expect(answer.findings.map(({ subject }) => subject)).toEqual([
    ...['gateway', 'contract', 'signing', 'notification'].map((name) => `settings ${name}`),
    ...['gateway', 'bus', 'contract', 'signing', 'notification'].map((name) => `database ${name}`),
    'services',
    'mail server',
    'mail domain',
    'seal certificate',
    'seal certificate of the sandbox',
    'clocks',
  ])
  const page = await paraph(running.folder, 'doctor')
  expect(page).toMatchObject({ code: 0, stderr: '' })
  expect(page.stdout).toMatch(
    /^ {2}ok +settings gateway +complete[^]*\n0 broken, 0 to look at, 15 ok, in \d+\.\d s\.\n$/,
  )
  const secrets = JSON.parse(await readFile(join(running.folder, 'secrets.json'), 'utf8')) as Secrets
  const values = [secrets.rolePasswords.gateway.runtime, secrets.pageSecret, secrets.codePeppers, '127.0.0.1', '@']
  expect(values.filter((value) => page.stdout.includes(value))).toEqual([])
})

it('a wrong password is broken, with what to do and the page to read', async () => {
  const folder = await copySettings(({ secrets }) => {
    secrets.rolePasswords.contract.runtime = 'another-password'
  })
  const { code, wrong, answer } = await examine(folder)
  expect(code).toBe(1)
  expect(wrong).toEqual([
    'broken database bus: refuses the login (BUS_DATABASE_URL of contract, 28P01)',
    'broken database contract: refuses the login (DATABASE_URL of contract, 28P01)',
  ])
  expect(answer.findings.find(({ subject }) => subject === 'database contract')).toMatchObject({
    remedy:
      "Correct user and password in DATABASE_URL of contract, or set the role's password with deploy/databases.sql.",
    page: 'logins',
  })
})

it('a missing migration is broken, and the next run is well again', async () => {
  const url = databaseUrlOf(running.stack, 'signing')
  const rows = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; timestamp: string }>(
      `delete from kysely_migration where name = '0003_verify_views' returning name, timestamp`,
    )
    return rows
  })
  try {
    const { code, wrong } = await examine(running.folder)
    expect(code).toBe(1)
    expect(wrong).toEqual(['broken database signing: lacks the migration 0003_verify_views'])
  } finally {
    await withClient(url, async (client) => {
      for (const { name, timestamp } of rows)
        await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, timestamp])
    })
  }
  expect((await examine(running.folder)).code).toBe(0)
})

it('an SMTP server that is away is broken [F6]', async () => {
  const folder = await copySettings(async ({ ports }) => {
    ports.smtp = await claimPort()
  })
  const { code, wrong } = await examine(folder)
  expect(code).toBe(1)
  expect(wrong).toEqual([expect.stringMatching(/^broken mail server: does not answer \(/)])
})

it('a seal certificate near its end is to look at, and does not fail the command', async () => {
  const folder = await copySettings(async ({ secrets }) => {
    const tenYearsAgo = new Date(Date.now() + 20.5 * 86_400_000)
    tenYearsAgo.setUTCFullYear(tenYearsAgo.getUTCFullYear() - 10)
    const { key, certificate } = await makeSealCertificate('Paraph', tenYearsAgo)
    Object.assign(secrets.evidenceKeys.production, { sealKey: key, sealCertificate: certificate })
  })
  const { code, wrong } = await examine(folder)
  expect(code).toBe(0)
  expect(wrong).toEqual([expect.stringMatching(/^look seal certificate: ends on \d{4}-\d\d-\d\d, in 20 days$/)])
})
