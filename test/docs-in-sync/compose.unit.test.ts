// Checks deploy/compose.yaml and deploy/collector.yaml as data, because no test runs Compose. [H14, H18]
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, jest } from '@jest/globals'
import { parse } from 'yaml'
import { readContractConfig } from '@paraph/contract/config'
import { readGatewayConfig } from '@paraph/gateway/config'
import { installationSecrets } from '@paraph/paraph/installation/installation-secrets'
import { makeSecrets } from '@paraph/paraph/installation/secrets'
import { readNotificationConfig } from '@paraph/notification/config'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { readSigningConfig } from '@paraph/signing/config'
import { ALLOWED_ATTRIBUTES } from '@paraph/telemetry/attribute-allow-list'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface ComposeService {
  image: string
  user?: string
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  command?: string[]
  environment?: Record<string, string>
  env_file?: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>
  volumes: Record<string, null>
}
const documents = installationSecrets(await makeSecrets(), { postgres: 'postgres://postgres:5432/' }, 'reader')
const ours = Object.entries(compose.services).filter(([, { image }]) => image.includes('PARAPH_IMAGE'))

/** Substitutes variables like Compose, for the forms in the file: `${NAME:-default}` and `${NAME:?error}`. */
const interpolate = (text: string, given: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
    const value = given[name] ?? (kind === '-' ? rest : undefined)
    if (value === undefined) throw new Error(`${name}: ${rest}`)
    return value
  })

function environmentOf(name: string): Record<string, string> {
  const { env_file = [], environment = {} } = compose.services[name]!
  const files = env_file.map((file) => documents[/^secrets\/(\w+)\.env$/.exec(file)![1] as keyof typeof documents])
  return Object.assign(
    {},
    ...files,
    Object.fromEntries(Object.entries(environment).map(([key, text]) => [key, interpolate(text, documents.owners)])),
  ) as Record<string, string>
}

const READERS: Readonly<Record<ServiceName, () => unknown>> = {
  gateway: readGatewayConfig,
  contract: readContractConfig,
  signing: readSigningConfig,
  notification: readNotificationConfig,
}
/** Every setting that a service's config.ts names, including shared ones. */
const settingsOf = (service: ServiceName): Set<string> =>
  new Set(
    [`services/${service}/src/config.ts`, 'libs/config/src/config.ts', 'libs/messaging/src/bus-settings.ts'].flatMap(
      (file) => [...read(file).matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST): ?/g)].map(([, name]) => name!),
    ),
  )

afterEach(() => void jest.restoreAllMocks())

it.each(SERVICES)('the compose file gives %s every setting that it requires, and no unknown one [H14]', (service) => {
  const environment = environmentOf(service)
  const before = process.env
  jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('it refuses to start')
  })
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  process.env = { ...environment, NODE_ENV: 'production' }
  try {
    expectWithMessage(READERS[service], written.mock.calls.join('')).not.toThrow()
  } finally {
    process.env = before
  }
  const known = settingsOf(service)
  expect(Object.keys(environment).filter((name) => !known.has(name) && !name.startsWith('OTEL_'))).toEqual([])
})

it('the compose file runs each of our processes from a built file with the rights of a restricted pod, and only migrations as database owner [H18, D50]', () => {
  expect(ours.length).toBeGreaterThanOrEqual(10)
  for (const [name, service] of ours) {
    expectWithMessage(service, name).toMatchObject({
      user: '65532:65532',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
    })
    const program = service.command?.find((argument) => /\.m?js$/.test(argument))
    if (program)
      expectWithMessage(
        existsSync(join(ROOT, program.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))),
        program,
      ).toBe(true)
    const seesOwner = Object.values(environmentOf(name)).some((value) => value.includes('_owner:'))
    expectWithMessage(seesOwner, name).toBe(name.startsWith('migrate-'))
  }
})

it('the compose file refers only to existing services, volumes and files [H14]', () => {
  for (const { depends_on = {}, volumes = [] } of Object.values(compose.services)) {
    for (const name of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(name)
    for (const source of volumes.map((volume) => volume.split(':')[0]!)) {
      if (source.startsWith('./')) expectWithMessage(existsSync(join(ROOT, 'deploy', source)), source).toBe(true)
      else if (!source.startsWith('../')) expect(Object.keys(compose.volumes)).toContain(source)
    }
  }
})

it('the collector forwards exactly the attributes on the span allow-list [I14, D51]', () => {
  const { processors, service } = parse(read('deploy/collector.yaml')) as {
    processors: { redaction: { allow_all_keys: boolean; allowed_keys: string[]; blocked_values: string[] } }
    service: { pipelines: Record<string, { processors: string[] }> }
  }
  const { redaction } = processors
  expect(redaction.allow_all_keys).toBe(false)
  expect(redaction.allowed_keys.toSorted()).toEqual([...ALLOWED_ATTRIBUTES].toSorted())
  for (const pipeline of Object.values(service.pipelines)) expect(pipeline.processors).toContain('redaction')
  const hides = (text: string) => redaction.blocked_values.some((pattern) => new RegExp(pattern).test(text))
  for (const secret of ['jane.roe@example.test', `paraph_live_${'a'.repeat(38)}`, 'A-z_'.repeat(11)])
    expect(hides(secret)).toBe(true)
  for (const harmless of ['/api/external/v2/contracts/{id}', 'contract-1700000000000-aaaaaaaaa'])
    expect(hides(harmless)).toBe(false)
})
