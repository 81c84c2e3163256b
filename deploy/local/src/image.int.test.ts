// Runs the built image with the restrictions of a pod (deploy/stand-in/run.sh). Skipped without an image, or without root.
//   deploy/stand-in/build.sh /tmp/paraph.tar && PARAPH_IMAGE_TAR=/tmp/paraph.tar npx jest deploy/local/src/image
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '@paraph/paraph/config'
import { provisionDatabases } from './databases.js'
import { databaseUrl, internalUrl, serviceEnvironment } from '@paraph/paraph/installation/environment'
import { startOwnServer } from '../test/own-server-fixture.js'
import { choosePorts, type Ports } from '@paraph/paraph/installation/ports'
import { DATABASES, makeSecrets, type Secrets } from '@paraph/paraph/installation/secrets'
import { SERVICES } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const tar = process.env['PARAPH_IMAGE_TAR']
const run = promisify(execFile)
const PATH = process.env['PATH'] ?? ''

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

;(!tar || process.getuid?.() !== 0 ? describe.skip : describe)('the image', () => {
  let folder: string
  let rootfs: string
  let config: { Entrypoint: string[]; User: string; WorkingDir: string; Env: string[] }
  let basis: { ports: Ports; secrets: Secrets }
  let server: Awaited<ReturnType<typeof startOwnServer>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paraph-image-'))
    rootfs = join(folder, 'rootfs')
    await run('mkdir', ['-p', rootfs, join(folder, 'archive')])
    await run('tar', ['-C', join(folder, 'archive'), '-xf', tar!])
    const readArchive = async <T>(name: string) =>
      JSON.parse(await readFile(join(folder, 'archive', name), 'utf8')) as T
    const [manifest] = await readArchive<{ Config: string; Layers: string[] }[]>('manifest.json')
    for (const layer of manifest!.Layers) await run('tar', ['-C', rootfs, '-xf', join(folder, 'archive', layer)])
    ;({ config } = await readArchive<{ config: typeof config }>(manifest!.Config))
    server = await startOwnServer()
    const ports = await choosePorts(join(folder, 'ports.json'), { gateway: 0, mailbox: 0 })
    basis = {
      ports: { ...ports, postgres: server.port },
      secrets: { ...(await makeSecrets()), superuserPassword: server.password },
    }
    await provisionDatabases(basis)
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  /** Runs Node with these arguments in the image. `ended` resolves with the exit code and the output. */
  function start(arguments_: string[], environment: Record<string, string> = {}) {
    const given = Object.fromEntries(
      config.Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    )
    const child = spawn(join(ROOT, 'deploy', 'stand-in', 'run.sh'), [rootfs, ...arguments_], {
      // run.sh needs this process's PATH to mount the image; the image's own PATH applies inside it only.
      env: { ...given, PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
    return { child, ended, said: () => stdout + stderr }
  }

  it('the image starts node as process 1, as an unprivileged user, and contains no shell, npm or other package manager [H14, H18]', async () => {
    expect(config).toMatchObject({ Entrypoint: ['/nodejs/bin/node'], User: '65532:65532', WorkingDir: '/app' })
    expect(config.Env).toContain('NODE_ENV=production')
    const names = (await readdir(rootfs, { recursive: true })).map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(names.length).toBeGreaterThan(2_000)
    const programs = /^(npm|npx|corepack|pnpm|yarn(-[\d.]+\.c?js)?|sh|bash|dash|busybox|apt|dpkg|tsc|turbo)$/
    expect(names.filter((name) => programs.test(name))).toEqual([])
    // One build serves every platform.
    expect(names.filter((name) => name.endsWith('.node'))).toEqual([])
  })

  it('the user of the image can write only to /tmp [H18]', async () => {
    const look = `const { writeFileSync } = require('node:fs')
      const may = (path) => { try { writeFileSync(path, ''); return 'written' } catch (error) { return error.code } }
      process.stdout.write(JSON.stringify([process.getuid(), may('/app/x'), may('/tmp/x')]))`
    expect(await start(['-e', look]).ended).toMatchObject({ code: 0, stdout: '[65532,"EROFS","written"]' })
  })

  it('the image contains the mailbox and the script of the databases, for a trial [H14]', async () => {
    const refused = await start(['tools/mailbox/dist/main.js']).ended
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^The configuration is not complete:\n[^]*SANDBOX_KEY: /)
    const print = "process.stdout.write(require('node:fs').readFileSync('deploy/databases.sql'))"
    const script = await readFile(join(ROOT, 'deploy', 'databases.sql'), 'utf8')
    expect(await start(['-e', print]).ended).toEqual({ code: 0, stdout: script, stderr: '' })
  })

  it('the image contains the command line, and every service and migration names its missing settings [H14]', async () => {
    const help = await start(['tools/paraph/paraph.mjs', '--help']).ended
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/topics +apply/)
    for (const service of SERVICES) {
      const refused = await start([`services/${service}/dist/main.js`]).ended
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/^The configuration is not complete:\n[^]*DATABASE_URL: /)
      expect(await start([`services/${service}/dist/migrate.js`]).ended).toMatchObject({
        code: 1,
        stderr: 'Set DATABASE_OWNER_URL to the URL of the database, as its owner.\n',
      })
    }
  })

  it('the image migrates every database, then runs every service until SIGTERM, with and without OpenTelemetry [H14, H13]', async () => {
    for (const name of DATABASES) {
      const url = databaseUrl(basis, name, 'owner')
      const migration =
        name === 'bus'
          ? start(['libs/messaging/dist/bus-migrate.js'], { BUS_OWNER_URL: url })
          : start([`services/${name}/dist/migrate.js`], { DATABASE_OWNER_URL: url })
      expect(await migration.ended).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    for (const telemetry of [[], ['--import=@paraph/telemetry/register']]) {
      const running = SERVICES.map((service) => ({
        service,
        ...start([...telemetry, `services/${service}/dist/main.js`], {
          ...serviceEnvironment(service, basis),
          OTEL_SERVICE_NAME: service,
          OTEL_TRACES_EXPORTER: 'none',
          OTEL_METRICS_EXPORTER: 'none',
          DRAIN_SECONDS: '1',
        }),
      }))
      for (const { service, child, said } of running) {
        const isReady = () =>
          fetch(`${internalUrl(basis.ports, service)}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        while (!(await isReady())) {
          if (child.exitCode !== null) throw new Error(`${service} ended: ${said()}`)
          await sleep(50)
        }
      }
      for (const { child } of running) child.kill('SIGTERM')
      for (const { service, ended, said } of running)
        expectWithMessage((await ended).code, `${service}: ${said()}`).toBe(0)
    }
  }, 120_000)
})
