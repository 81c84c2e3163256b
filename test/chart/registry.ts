// A registry process, and the scripts of .ci/release that bring charts into it. Contains no assertions.
import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { claimPort } from '@paraph/paraph/installation/ports'
import { until } from '../harness/until.js'
import { pathOf, TOOL_ENVIRONMENT } from './chart-tools.js'

const run = promisify(execFile)
const RELEASE = fileURLToPath(new URL('../../.ci/release', import.meta.url))

/** Starts an OCI registry that needs no login. @returns its `host:port`, and a function that stops it */
export async function startRegistry() {
  const address = `127.0.0.1:${await claimPort()}`
  const child = spawn(pathOf('crane')!, ['registry', 'serve', '--address', address], { stdio: 'ignore' })
  await until('a registry', () =>
    fetch(`http://${address}/v2/`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    ),
  )
  return { address, stop: () => void child.kill() }
}

/** Runs a script of .ci/release with helm on the PATH. @param folder for what helm keeps @returns its standard output */
export async function release(folder: string, script: string, ...args: string[]): Promise<string> {
  const PATH = `${join(pathOf('helm')!, '..')}:${process.env['PATH']}`
  const env = { ...TOOL_ENVIRONMENT, PATH, HELM_REGISTRY_CONFIG: join(folder, 'registry.json') }
  return (await run(join(RELEASE, script), args, { env })).stdout
}
