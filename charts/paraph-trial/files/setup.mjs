// Sets up the trial, as a Job: creates every Secret, and an account with a sandbox key. It keeps what an earlier run created.
// Kubernetes starts no container before the Secrets of its environment exist, so the order of the Secrets is the order of the start:
// Postgres, migrations and services, mailbox. The Secrets belong to the account of this Job, and Kubernetes deletes them with it.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const { KUBERNETES_URL, TOKEN_FILE, POSTGRES_URL, SMTP_URL, OWNER_EMAIL } = process.env
const SERVICES = ['gateway', 'contract', 'signing', 'notification']
const ACCOUNT_NAME = 'Trial'
const token = readFileSync(TOKEN_FILE, 'utf8').trim()
const { namespace, serviceaccount } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())[
  'kubernetes.io'
]

const say = (line) => process.stdout.write(`${line}\n`)

/** Calls the API of Kubernetes about the Secrets of this namespace. */
const call = (path, body) =>
  fetch(`${KUBERNETES_URL}/api/v1/namespaces/${namespace}/secrets${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

/** Returns the content of a Secret of this trial. Creates the Secret with the result of `make` if it does not exist. */
async function secret(name, make) {
  for (let isWaiting = false; ; await sleep(1_000)) {
    const found = await call(`/${name}`)
    if (found.ok) {
      const { metadata, data } = await found.json()
      if (metadata.ownerReferences?.some(({ uid }) => uid === serviceaccount.uid))
        return Object.fromEntries(
          Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
        )
      // That of a trial whose uninstall is not finished goes away by itself.
      if (!isWaiting) say(`The Secret ${name} belongs to another installation: waiting for its deletion.`)
      isWaiting = true
      continue
    }
    if (found.status !== 404)
      throw new Error(`The Secret ${name} cannot be read: ${found.status} ${await found.text()}`)
    const stringData = await make()
    const labels = { 'app.kubernetes.io/part-of': 'paraph' }
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ServiceAccount', ...serviceaccount }]
    const created = await call('', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, labels, ownerReferences },
      stringData,
    })
    if (created.ok) {
      say(`Created the Secret ${name}.`)
      return stringData
    }
    if (created.status !== 409) throw new Error(`The Secret ${name} cannot be created: ${created.status}`)
  }
}

/** Waits until `ask` resolves with true. */
async function until(what, ask) {
  say(`Waiting for ${what}.`)
  while (!(await ask().catch(() => false))) await sleep(1_000)
}

/** Runs the command line of the image. @returns its answer */
function paraph(words, environment = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/paraph/paraph.mjs', ...words, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  if (status !== 0) throw new Error(`paraph ${words.slice(0, 2).join(' ')} failed: ${stderr}`)
  return JSON.parse(stdout)
}

// One Secret holds all of the others, so that a run that was interrupted between two of them continues with the same values.
const { documents } = await secret('paraph-trial', () => {
  const places = ['--postgres', POSTGRES_URL, '--smtp', SMTP_URL]
  const made = paraph(['secrets', 'make', '--format', 'kubernetes', '--seal-name', 'Paraph trial', ...places])
  made.roles.POSTGRES_PASSWORD = randomBytes(24).toString('hex')
  return { documents: JSON.stringify(made) }
})
const { roles, ...others } = JSON.parse(documents)

await secret('paraph-roles', () => roles)
await until('Postgres', async () => {
  const { hostname: host, port } = new URL(POSTGRES_URL)
  const socket = connect({ host, port, timeout: 5_000 })
  const isOpen = await new Promise((resolve) => {
    socket.on('connect', () => resolve(true))
    for (const failure of ['error', 'timeout']) socket.on(failure, () => resolve(false))
  })
  socket.destroy()
  return isOpen
})
for (const [name, document] of Object.entries(others)) await secret(`paraph-${name}`, () => document)

for (const service of SERVICES)
  await until(`the ${service} service`, async () => {
    const url = `${process.env[`PARAPH_${service.toUpperCase()}_INTERNAL_URL`]}/readyz`
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
  })
await secret('paraph-sandbox-key', () => {
  const access = { PARAPH_OPERATOR_KEY: others.operator.PARAPH_OPERATOR_KEY, PARAPH_OPERATOR_NAME: 'trial' }
  const { accounts } = paraph(['account', 'list'], access)
  const { id } =
    accounts.find(({ name }) => name === ACCOUNT_NAME) ??
    paraph(['account', 'create', '--name', ACCOUNT_NAME, '--email', OWNER_EMAIL, '--plan', 'growth'], access).account
  return { SANDBOX_KEY: paraph(['key', 'create', '--account', id, '--environment', 'test'], access).key.secret }
})
