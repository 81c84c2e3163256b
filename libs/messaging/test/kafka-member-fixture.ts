// Starts kafka-member-process-fixture.ts from its sources with NODE_ENV=production, because kafkajs has other defaults under `test`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { FROM_SOURCES } from '@paraph/testing/test/from-sources-fixture'
import { freePort } from './kafka-broker-fixture.js'
import type { KafkaConnection } from '../src/kafka/client.js'

export interface MemberSettings {
  connection: Omit<KafkaConnection, 'clientId'>
  group: string
  topic: string
  ports: [number, number]
  /** The liveness check fails after the member has had a lag without progress for this long. */
  stallMs: number
  /** If set, the member is a consumer that writes to this database; otherwise it prints the messages that it handles. */
  databaseUrl?: string
}

export async function startMember(settings: Omit<MemberSettings, 'ports' | 'stallMs'> & { stallMs?: number }) {
  const ports: [number, number] = [await freePort(), await freePort()]
  const member: MemberSettings = { stallMs: 60_000, ...settings, ports }
  const file = fileURLToPath(new URL('kafka-member-process-fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [...FROM_SOURCES, file, JSON.stringify(member)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production' },
  })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => void (output += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => void (output += bytes.toString()))
  const closed = once(child, 'close')

  return {
    /** Everything that the process has written. */
    output: () => output,
    /** The messages that the process reported as handled. */
    handled: () =>
      output
        .split('\n')
        .slice(0, -1)
        .flatMap((line) => (line.startsWith('handled ') ? [JSON.parse(line.slice('handled '.length)) as Handled] : [])),
    /** The status of /livez: 200 while the process is live, 0 without an answer. */
    liveness: () =>
      fetch(`http://127.0.0.1:${ports[1]}/livez`).then(
        (answer) => answer.status,
        () => 0,
      ),
    /** Resolves with the exit code, null after a signal. */
    ended: closed.then(([code]) => code as number | null),
    async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
      child.kill(signal)
      await closed
    },
  }
}

export interface Handled {
  partition: number
  offset: string
  key: string
  value: string | null
}

export type Member = Awaited<ReturnType<typeof startMember>>
