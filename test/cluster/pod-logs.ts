// Collects the logs of all pods while they run, because Kubernetes deletes the log of a pod with the pod. For the cluster test.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { openProcessLog } from '@paraph/local/process-log'
import { environment, PODS_OF_RELEASE } from './kube.js'

const LINE = '{.metadata.name} {.metadata.labels.app\\.kubernetes\\.io/component} {.status.phase}{"\\n"}'

/**
 * Follows the logs of all pods of a release, each into a file of its own.
 * @param show receives warnings and errors, formatted for people
 * @returns a function that stops all followers
 */
export function followPodLogs(namespace: string, folder: string, show: (line: string) => void): () => void {
  const children = new Map<string, ChildProcessByStdio<null, Readable, null>>()
  const kubectl = (name: string, args: readonly string[]): Readable => {
    const child = spawn('kubectl', ['--namespace', namespace, ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.set(name, child)
    return child.stdout
  }
  // One persistent watch: repeated queries would use a tenth of the CPU of a small machine.
  const watch = kubectl('watch', ['get', 'pods', '-l', PODS_OF_RELEASE, '--watch', '-o', `jsonpath=${LINE}`])
  createInterface({ input: watch }).on('line', (line) => {
    const [pod = '', service = '', phase] = line.split(' ')
    if (phase !== 'Running' || children.has(pod)) return
    const log = openProcessLog({
      path: join(folder, `${pod}.log`),
      service,
      show: (line) => show(`${new Date().toISOString()} ${pod} ${line}`),
    })
    log.follow(kubectl(pod, ['logs', '--follow', pod]), 'info')
  })
  return () => {
    for (const child of children.values()) child.kill()
  }
}
