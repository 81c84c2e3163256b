// What every pod says, the ones that are gone too: the cluster forgets a pod's log with the pod. For test:cluster.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openProcessLog } from '@paraph/local/process-log'
import { environment, type Namespace } from './kube.js'

/** A pod lives longer than this, and is asked for its log from its beginning. */
const LOOK_MS = 2_000

/**
 * Follows the logs of all pods of a release, each into a file of its own.
 * @param show gets warnings and worse, readable
 * @returns ends it
 */
export function followPodLogs(cluster: Namespace, folder: string, show: (line: string) => void): () => Promise<void> {
  const followers = new Map<string, ChildProcess>()
  let isOver = false

  function follow(pod: string, service: string): void {
    const child = spawn('kubectl', ['--namespace', cluster.namespace, 'logs', '--follow', pod], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    followers.set(pod, child)
    openProcessLog({
      ...{ path: join(folder, `${pod}.log`), service },
      show: (line) => show(`${new Date().toISOString()} ${pod} ${line}`),
    }).follow(child.stdout, 'info')
  }

  const looking = (async () => {
    while (!isOver) {
      const pods = await cluster.pods().catch(() => [])
      for (const { metadata, status } of pods)
        if (status.phase === 'Running' && !followers.has(metadata.name))
          follow(metadata.name, metadata.labels['app.kubernetes.io/component'] ?? '')
      await sleep(LOOK_MS)
    }
  })()
  return async () => {
    isOver = true
    await looking
    for (const child of followers.values()) child.kill()
  }
}
