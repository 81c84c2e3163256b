// Makes clients from docs/openapi.json in four languages, and runs the main story with each against a new stack, as a client platform would.
// The answers come through a proxy that adds what a later version may add. Then Python's package of Standard Webhooks verifies a webhook.
// Part of .ci/run; needs Java 17, Maven, Go and python3 with venv. Ends with `N passed, N failed`. [D56, D65]
import { execFile } from 'node:child_process'
import { access, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newSigningKeys, signatureHeaders } from '@paraph/notification/webhooks/signature'
import { createLocalStart } from '../harness/stack/npm-start.mjs'
import { FUTURE_CODE, startFutureProxy } from './future-proxy.mjs'

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.24.0'
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(homedir(), '.cache', 'paraph-generated-clients')

const local = createLocalStart('clients')
const at = (...path) => join(local.folder, ...path)
/** Runs a program. @returns its output @throws Error with its output */
const run = (command, argv, options = {}) =>
  promisify(execFile)(command, argv, { maxBuffer: 64 * 1024 * 1024, ...options }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, message }) => Promise.reject(new Error(`${message}\n${stdout}\n${stderr}`.slice(0, 4_000))),
  )
const maven = (...argv) => run('mvn', ['-q', '-B', ...argv])

/** Maven downloads the generator once. */
async function generatorJar() {
  const jar = join(cache, `${GENERATOR.split(':').slice(1).join('-')}.jar`)
  await access(jar).catch(() => maven('dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${cache}`))
  return jar
}

const generate = (jar, language, folder, ...more) => {
  const document = join(root, 'docs/openapi.json')
  const options = ['-i', document, '-g', language, '-o', folder, ...more]
  return run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, 'generate', ...options])
}

/** Language → makes and compiles its client, and returns the command of its story. */
const LANGUAGES = {
  async typescript(jar) {
    const folder = at('typescript')
    await generate(jar, 'typescript-fetch', join(folder, 'client'), '-p', 'importFileExtension=.js')
    await cp(join(here, 'typescript'), folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck', ...types]
    await run('tsc', [...options, '--outDir', join(folder, 'out'), join(folder, 'story.ts')])
    await cp(join(folder, 'package.json'), join(folder, 'out/package.json'))
    return [process.execPath, join(folder, 'out/story.js')]
  },
  async python(jar) {
    const [folder, bin] = [at('python'), at('venv/bin')]
    await generate(jar, 'python', folder)
    await run('python3', ['-m', 'venv', at('venv')])
    await run(join(bin, 'pip'), ['install', '--quiet', '-r', join(here, 'python/requirements.txt')])
    await cp(join(here, 'python'), folder, { recursive: true })
    return [join(bin, 'python'), join(folder, 'story.py')]
  },
  async java(jar) {
    const [folder, classes, jars] = [at('java'), at('java/classes'), at('java/jars')]
    await generate(jar, 'java', folder, '--library', 'native')
    await maven('-f', join(folder, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`)
    const sources = (await readdir(join(folder, 'src/main/java'), { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    await run('javac', ['-nowarn', '-d', classes, '-cp', `${jars}/*`, ...sources, join(here, 'java/Story.java')])
    return ['java', '-cp', `${classes}:${jars}/*`, 'Story']
  },
  async go(jar) {
    const folder = at('go')
    // Without this option the generator for Go makes clients that refuse a new field.
    const tolerant = 'packageName=paraph,disallowAdditionalPropertiesIfNotPresent=false'
    await generate(jar, 'go', folder, '-p', tolerant, '--git-user-id', 'paraph', '--git-repo-id', 'client')
    await cp(join(here, 'go'), join(folder, 'story'), { recursive: true })
    const find = `. ${join(root, '.ci/go.sh')}; find_go; GOFLAGS=-mod=mod go build -o ../go-story ./story`
    await run('bash', ['-c', find], { cwd: folder })
    return [at('go-story')]
  },
}

/** A webhook as the worker signs it, verified by the package of Python. */
async function verifyWebhook() {
  const keys = newSigningKeys()
  const body = JSON.stringify({ type: 'contract.signed', timestamp: new Date().toISOString(), data: {} })
  const headers = signatureHeaders({ id: 'msg_1', timestamp: Math.floor(Date.now() / 1_000), body }, [keys])
  const script = join(here, 'python/verify_webhook.py')
  await expectLine(run(at('venv/bin/python'), [script, keys.secret, JSON.stringify(headers), body]), 'webhook verified')
}

async function expectLine(running, line) {
  const output = await running
  if (!output.includes(line)) throw new Error(`The program printed no "${line}":\n${output}`)
}

let [passed, failed] = [0, 0]
/** Counts a step, and prints why it failed. @returns its result, undefined after a failure */
async function count(title, step) {
  try {
    const result = await step()
    passed += 1
    return result
  } catch (error) {
    failed += 1
    process.stdout.write(`FAILED: ${title}\n${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

let proxy
try {
  await mkdir(cache, { recursive: true })
  const [jar] = await Promise.all([generatorJar(), local.start()])
  const key = local.makeKey('client', 'test')
  const { gateway } = JSON.parse(await readFile(join(local.data, 'ports.json'), 'utf8'))
  proxy = await startFutureProxy(`http://127.0.0.1:${gateway}`)
  for (const [language, make] of Object.entries(LANGUAGES)) {
    const story = await count(`${language}: the client compiles`, () => make(jar))
    if (!story) continue
    const [command, ...argv] = [...story, `${proxy.url}/api/external/v2`, key, FUTURE_CODE]
    await count(`${language}: the main story`, () =>
      expectLine(run(command, argv, { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } }), 'story passed'),
    )
  }
  await count('python: a webhook is verified', verifyWebhook)
} catch (error) {
  process.stdout.write(`FAILED: generated clients\n${error instanceof Error ? error.stack : String(error)}\n`)
  failed += 1
} finally {
  proxy?.stop()
  await local.stop()
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
