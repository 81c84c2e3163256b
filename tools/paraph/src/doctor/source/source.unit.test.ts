import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from '@jest/globals'
import { SERVICES } from '@paraph/protocol/services'
import { parseAllDocuments } from 'yaml'
import { readConfig, ROOT } from '../../config.js'
import { installationSecrets } from '../../installation/installation-secrets.js'
import { makeSecrets } from '../../installation/secrets.js'
import { collectSettings } from '../collect/settings.js'
import type { Installation } from './installation.js'
import { findInstallation } from './source.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
function fileOf(document: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-doctor-'))
  folders.push(folder)
  const path = join(folder, 'installation.json')
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  return path
}
const NOWHERE = { PARAPH_DATA_DIR: '/nowhere' }
const find = (from: string | undefined, environment: Record<string, string> = {}) =>
  findInstallation(readConfig({ ...NOWHERE, ...environment }), from)

const documents = installationSecrets(
  await makeSecrets(),
  { postgres: 'postgres://db.example.com:5432/?sslmode=verify-full', smtp: 'smtps://user:pass@mail.example.com' },
  'a reader',
)
interface Variable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string } }
}
interface Deployment {
  kind: string
  metadata: { labels: Record<string, string> }
  spec: { template: { spec: { containers: { env: Variable[]; volumeMounts: object[] }[]; volumes: object[] } } }
}
/** What `kubectl get deployments,secrets -o json` prints for the chart's Deployments with default values. */
function cluster(change: (deployment: Deployment) => void = () => undefined, secrets: object = documents) {
  const rendered = parseAllDocuments(readFileSync(join(ROOT, 'charts/paraph/golden/default.yaml'), 'utf8'))
  const deployments = rendered.map((each) => each.toJS() as Deployment).filter((each) => each?.kind === 'Deployment')
  for (const deployment of deployments) change(deployment)
  const items = Object.entries(secrets as typeof documents).map(([name, data]) => ({
    kind: 'Secret',
    metadata: { name: `paraph-${name}` },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  }))
  const stranger = { kind: 'Deployment', metadata: { labels: { app: 'other' } }, spec: {} }
  return { apiVersion: 'v1', kind: 'List', items: [stranger, ...deployments, ...items] }
}
const errorsOf = async (installation: Installation) =>
  (
    await Promise.all(
      SERVICES.map((service) => collectSettings({ service, ...installation.services[service]! }, installation)),
    )
  ).flatMap(({ service, errors, unread, samples, strangers }) =>
    [...errors, ...unread, ...samples, ...strangers].map((each) => `${service} ${each}`),
  )

it('the settings of a cluster are complete, with every owner and the role that reads', async () => {
  const installation = await find(fileOf(cluster()))
  expect(await errorsOf(installation)).toEqual([])
  expect(Object.keys(installation.owners).toSorted()).toEqual(['bus', 'contract', 'gateway', 'notification', 'signing'])
  expect(new URL(installation.verifiers.bus ?? '').username).toBe('paraph_verify')
  expect(installation.isElsewhere).toBe(true)
})

it('Secrets that are mounted as files count as settings', async () => {
  const mount = ({ spec: { template } }: Deployment) => {
    const [container] = template.spec.containers
    const references = container!.env.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)
    container!.env = container!.env.map((variable) =>
      references.includes(variable) ? { name: `${variable.name}_FILE`, value: `/secrets/${variable.name}` } : variable,
    )
    container!.volumeMounts.push({ name: 'secrets', mountPath: '/secrets' })
    const sources = references.map(({ name, valueFrom }) => {
      const { name: secretName, key } = valueFrom!.secretKeyRef!
      return { secret: { name: secretName, items: [{ key, path: name }] } }
    })
    template.spec.volumes.push({ name: 'secrets', projected: { sources } })
  }
  expect(await errorsOf(await find(fileOf(cluster(mount))))).toEqual([])
})

it('a key that a Secret lacks is a missing setting, and a key of another installation is refused [D45]', async () => {
  const { CALLER_PRIVATE_KEY, ...contract } = documents.contract
  const other = installationSecrets(await makeSecrets(), { postgres: 'postgres://db.example.com/' }, 'a reader')
  const signing = { ...documents.signing, CALLER_PRIVATE_KEY: other.signing['CALLER_PRIVATE_KEY']! }
  const installation = await find(fileOf(cluster(undefined, { ...documents, contract, signing })))
  expect(CALLER_PRIVATE_KEY).toBeDefined()
  const errors = await errorsOf(installation)
  expect(errors.filter((each) => each.includes('CALLER_PRIVATE_KEY'))).toEqual([
    expect.stringMatching(/^contract CALLER_PRIVATE_KEY: .*received undefined$/),
  ])
  expect(errors).toContain('contract signing')
  expect(errors).toContain('notification signing')
})

it('placeholders are found, and no value of a setting leaves the collector', async () => {
  const zeros = `k1:${Buffer.alloc(32).toString('base64')}`
  const gateway = { ...documents.gateway, CODE_KEYS: zeros, PAGE_SECRET: 'changeme'.repeat(5) }
  const contract = {
    ...documents.contract,
    DATABASE_URL: 'postgres://contract_runtime:hunter2hunter2@db.test/contract',
  }
  const installation = await find(fileOf(cluster(undefined, { ...documents, gateway, contract })))
  expect(await errorsOf(installation)).toEqual(['gateway CODE_KEYS', 'gateway PAGE_SECRET'])
  const facts = await Promise.all(
    SERVICES.map((service) => collectSettings({ service, ...installation.services[service]! }, installation)),
  )
  const values = Object.values(installation.services).flatMap(({ settings }) => Object.values(settings))
  const long = values.filter((value) => value.length > 12)
  expect(long.length).toBeGreaterThan(30)
  expect(long.filter((value) => JSON.stringify(facts).includes(value))).toEqual([])
})

it('the settings of Compose are those of its services and migrations', async () => {
  const services = {
    contract: {
      environment: {
        ...documents.contract,
        PORT: '8080',
        SHARE_BASE_URL: 'http://localhost:8080',
        A: 'a$$b$$$$',
        UNSET: null,
      },
    },
    'migrate-contract': { environment: { DATABASE_OWNER_URL: documents.owners['CONTRACT_OWNER_URL'] } },
    postgres: {},
  }
  const installation = await find(fileOf({ name: 'paraph', services }))
  expect(Object.keys(installation.services)).toEqual(['contract'])
  expect(installation.services.contract?.settings['A']).toBe('a$b$$')
  expect(installation.owners).toEqual({ contract: documents.owners['CONTRACT_OWNER_URL'] })
})

it('in the container of a service, its environment and files are checked', async () => {
  const file = fileOf(documents.contract['DATABASE_URL'])
  const environment = { SHARE_TOKEN_KEYS: documents.contract['SHARE_TOKEN_KEYS']!, DATABASE_URL_FILE: file }
  const { services, isElsewhere } = await find(undefined, environment)
  expect(Object.keys(services)).toEqual(['contract'])
  expect(services.contract?.settings['DATABASE_URL']).toBe(documents.contract['DATABASE_URL'])
  expect(isElsewhere).toBe(false)
})

it('without an installation, and with a file that is none, the command says what to give', async () => {
  await expect(find(undefined)).rejects.toThrow('There is nothing to check here')
  await expect(find('/nowhere.json')).rejects.toThrow('--from must name a file with JSON')
  await expect(find(fileOf('[1]'))).rejects.toThrow('--from must contain the services of Paraph')
  await expect(find(fileOf('{"kind": "List", "items": 1}'))).rejects.toThrow('--from must contain the services')
  await expect(find(fileOf({ kind: 'List', items: [] }))).rejects.toThrow('--from must contain the services')
})
