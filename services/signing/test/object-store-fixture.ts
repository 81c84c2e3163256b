// Runs a real S3 server for tests: versitygw, which stores each object as a file. `.ci/object-store` installs it. [P43]
// Skip the test if `objectStoreIsThere()` is false. The server dies with the process that started it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@paraph/testing/wait-for'
import { openObjectStore } from '../src/documents/object-store.js'
import { readObjectStoreUrl } from '../src/documents/object-store-url.js'

const PROGRAM = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paraph-kube', 'bin', 'versitygw')
const [KEY_ID, SECRET, BUCKET] = ['test-key', 'test/secret+1', 'paraph-test']

/** True if the server is installed. */
export const objectStoreIsThere = (): Promise<boolean> =>
  access(PROGRAM, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Starts a server with an empty bucket. @param tls files in PEM; without them the server speaks plain HTTP */
export async function startObjectStore({ tls }: { tls?: { certificateFile: string; keyFile: string } } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-objects-'))
  const [data, attributes] = [join(folder, 'data'), join(folder, 'attributes')]
  const port = await freePort()
  const secure = tls ? ['--cert', tls.certificateFile, '--key', tls.keyFile] : []
  const listen = ['--port', `127.0.0.1:${port}`, ...secure]
  const argv = [...listen, '--access', KEY_ID, '--secret', SECRET, '--quiet', 'posix', '--sidecar', attributes, data]
  let server: ChildProcess | undefined
  const isRunning = (): boolean => server !== undefined && server.exitCode === null && server.signalCode === null
  const onExit = (): void => void server?.kill('SIGKILL')
  process.on('exit', onExit)

  /** Starts the server if it does not run. */
  async function start(): Promise<void> {
    if (isRunning()) return
    let output = ''
    const child = spawn(PROGRAM, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
    server = child
    await waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`the object store ended with ${child.exitCode}: ${output}`)
      await connects(port)
    })
  }

  /** Kills the server. Its data stay for the next start. */
  async function stop(): Promise<void> {
    if (!server || !isRunning()) return
    const ended = once(server, 'close')
    server.kill('SIGKILL')
    await ended
  }

  /** Stops the server and deletes its objects. */
  async function clear(): Promise<void> {
    await stop()
    await Promise.all([data, attributes].map((each) => rm(each, { recursive: true, force: true })))
    // The server takes each folder below `data` for a bucket.
    await mkdir(join(data, BUCKET), { recursive: true })
    await mkdir(attributes)
  }

  await clear()
  await start()
  const host = `127.0.0.1:${port}`
  const url = `${tls ? 'https' : 'http'}://${KEY_ID}:${encodeURIComponent(SECRET)}@${host}/${BUCKET}`
  return {
    /** The value of OBJECT_STORE_URL. */
    url,
    /** A client with other credentials or another bucket. */
    urlWith: (keyId: string, secret: string, bucket = BUCKET) =>
      `${tls ? 'https' : 'http'}://${keyId}:${secret}@${host}/${bucket}`,
    open: () => openObjectStore(readObjectStoreUrl(url)),
    /** The file with the bytes of an object. */
    fileOf: (key: string) => join(data, BUCKET, key),
    start,
    stop,
    clear,
    async close(): Promise<void> {
      process.off('exit', onExit)
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestObjectStore = Awaited<ReturnType<typeof startObjectStore>>

async function connects(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
