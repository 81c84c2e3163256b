// Runs kubectl and helm against the cluster that KUBECONFIG names, in one namespace. For the cluster test.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'

export const CHART = fileURLToPath(new URL('../../charts/paraph', import.meta.url))
/** The programs that .ci/chart-tools installed, if the machine has none. */
const BUILT = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paraph-kube', 'bin')
/** The environment of the programs: PATH finds the machine's own kubectl and helm first, then those in BUILT. */
export const environment = { ...process.env, PATH: [process.env['PATH'], BUILT].join(delimiter) }

/** The label of all pods of the product. */
export const PODS_OF_RELEASE = 'app.kubernetes.io/part-of=paraph'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end. @param input for its standard input */
export function run(program: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Runs a program to its end. @returns standard output @throws Error with the output if the exit code is not 0 */
async function well(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
  return stdout
}

export interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string }
  status: {
    phase?: string
    podIP?: string
    conditions?: { type: string; status: string }[]
    containerStatuses?: { restartCount: number }[]
  }
}

/** kubectl and helm commands in one namespace. */
export function inNamespace(namespace: string) {
  const kubectl = (args: readonly string[], input?: string): Promise<string> =>
    well('kubectl', ['--namespace', namespace, ...args], input)
  const helm = (args: readonly string[], input?: string): Promise<string> =>
    well('helm', ['--namespace', namespace, ...args], input)
  const json = async <T>(args: readonly string[]): Promise<T> => JSON.parse(await kubectl([...args, '-o', 'json'])) as T

  return {
    namespace,
    kubectl,
    helm,
    json,
    /** The pods of a component, or of all four components, including terminating pods. */
    async pods(component?: string): Promise<Pod[]> {
      const labels = [PODS_OF_RELEASE, component && `app.kubernetes.io/component=${component}`]
      const { items } = await json<{ items: Pod[] }>(['get', 'pods', '-l', labels.filter(Boolean).join(',')])
      return items
    },
  }
}

export type Namespace = ReturnType<typeof inNamespace>

export const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')
