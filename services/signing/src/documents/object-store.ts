// The object store of signed PDFs and evidence: a bucket behind a few operations that verify what they read. [P43]
// Owns: the requests with their time limits and retries, and errors that contain no key, address or secret of the store.
// Does not own: which row refers to which object (documents.ts), and when an object is deleted (object-deletion.ts).
import type { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { withTimeout } from '@paraph/protocol/deadline'
import { measure } from '@paraph/telemetry/metrics'
import type { ObjectStoreSettings } from './object-store-url.js'

const CONNECT_MS_MAX = 1_000
/** From the request to the head of the answer. */
const ATTEMPT_MS_MAX = 2_000
/** The SDK repeats what may succeed later: no connection, no answer in time, 429, 5xx. */
const ATTEMPTS = 3
/** With all attempts. The console waits 5 s for signing, which first queries the contract service. */
const READ_MS_MAX = 4_000
/** With all attempts. A seal waits for two writes within the lease of its task. */
const WRITE_MS_MAX = 8_000
const CONNECTIONS = 32
/** Keys of one page of a list; the largest number that S3 returns. */
const LISTED_MAX = 1_000

/** What the bytes of an object must be. */
export interface Expected {
  /** Lower-case hex. */
  sha256: string
  /** Bytes. */
  size: number
}

type Operation = 'put' | 'get' | 'check' | 'list' | 'delete'

/** The store did not do what was asked; the same request may succeed later. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
}

/** The store answered that there is no such object, or returned other bytes. */
export class ObjectDamaged extends Error {
  override name = 'ObjectDamaged'
  readonly reason: 'missing' | 'altered'

  constructor(reason: ObjectDamaged['reason']) {
    super(`the object is ${reason}`)
    this.reason = reason
  }
}

/** An operation that the store does not do throws ObjectStoreError within its time limit. */
export interface ObjectStore {
  /** Writes an object, whose hash the store compares. */
  put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>
  /** @throws ObjectDamaged when there is no such object, or other bytes */
  get: (key: string, expected: Expected) => Promise<Buffer>
  /** Compares an object without reading it, if the store recorded its size and hash. */
  check: (key: string, expected: Expected) => Promise<'intact' | ObjectDamaged['reason']>
  /** The keys after `after`, in their order, and since when they exist; none after the last. */
  list: (after: string) => Promise<{ key: string; createdAt: Date }[]>
  /** Succeeds also if there is no such object. */
  delete: (key: string) => Promise<void>
  close: () => void
}

/** Whether these are the expected bytes. */
export const isIntact = (bytes: Uint8Array, { sha256, size }: Expected): boolean =>
  bytes.length === size && sha256Of(bytes) === sha256

/** Lower-case hex. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Loads the SDK, which a service without an object store never does. Connects at the first operation. */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<ObjectStore> {
  const { endpoint, bucket: Bucket, region, credentials } = settings
  const s3 = await import('@aws-sdk/client-s3')
  const agent = { keepAlive: true, maxSockets: CONNECTIONS }
  const client = new s3.S3Client({
    endpoint,
    region,
    ...(credentials ? { credentials } : {}),
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // Our own hashes are compared; not every store knows the SDK's other checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: ATTEMPT_MS_MAX,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Otherwise the SDK writes its warnings to standard error, as text.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  })

  async function perform<Result>(
    operation: Operation,
    msMax: number,
    work: (options: { abortSignal: AbortSignal }) => Promise<Result>,
  ): Promise<Result> {
    const startedAtMs = performance.now()
    const record = (outcome: 'done' | 'failed') => {
      const attributes = { 'paraph.operation': operation, 'paraph.outcome': outcome }
      measure('paraph.object_store.duration', (performance.now() - startedAtMs) / 1_000, attributes)
    }
    const late = () => new ObjectStoreError(`${operation}: no answer in time`)
    try {
      const result = await withTimeout(msMax, work({ abortSignal: AbortSignal.timeout(msMax) }), late)
      record('done')
      return result
    } catch (error) {
      const isAnswer = error instanceof ObjectDamaged
      record(isAnswer ? 'done' : 'failed')
      if (isAnswer || error instanceof ObjectStoreError) throw error
      throw new ObjectStoreError(`${operation}: ${codeOf(error)}`)
    }
  }

  const get = (key: string, expected: Expected): Promise<Buffer> =>
    perform('get', READ_MS_MAX, async (options) => {
      const answer = await client.send(new s3.GetObjectCommand({ Bucket, Key: key }), options).catch(asMissing)
      if (!answer.Body || answer.ContentLength !== expected.size) {
        ;(answer.Body as Readable | undefined)?.destroy()
        throw new ObjectDamaged('altered')
      }
      const bytes = Buffer.from(await answer.Body.transformToByteArray())
      if (!isIntact(bytes, expected)) throw new ObjectDamaged('altered')
      return bytes
    })

  return {
    get,
    put: (key, bytes, sha256) =>
      perform('put', WRITE_MS_MAX, async (options) => {
        const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
        await client.send(new s3.PutObjectCommand({ Bucket, Key: key, Body: bytes, ChecksumSHA256 }), options)
      }),
    async check(key, expected) {
      const isRecorded = await perform('check', READ_MS_MAX, async (options) => {
        const head = new s3.HeadObjectCommand({ Bucket, Key: key, ChecksumMode: 'ENABLED' })
        const { ContentLength, ChecksumSHA256 = '' } = await client.send(head, options)
        return (
          ContentLength === expected.size && Buffer.from(ChecksumSHA256, 'base64').toString('hex') === expected.sha256
        )
      }).catch(() => false)
      if (isRecorded) return 'intact'
      // The answer to HEAD has no body, so that it does not tell a missing object from a missing bucket.
      return get(key, expected).then(
        () => 'intact' as const,
        (error: unknown) => {
          if (error instanceof ObjectDamaged) return error.reason
          throw error
        },
      )
    },
    list: (after) =>
      perform('list', READ_MS_MAX, async (options) => {
        const list = new s3.ListObjectsV2Command({ Bucket, StartAfter: after, MaxKeys: LISTED_MAX })
        const { Contents = [] } = await client.send(list, options)
        return Contents.flatMap(({ Key: key, LastModified: createdAt }) =>
          key !== undefined && createdAt !== undefined ? [{ key, createdAt }] : [],
        )
      }),
    delete: (key) =>
      perform('delete', WRITE_MS_MAX, async (options) => {
        await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }), options)
      }),
    close: () => client.destroy(),
  }
}

const ignore = (): void => undefined

function asMissing(error: unknown): never {
  throw (error as { name?: unknown }).name === 'NoSuchKey' ? new ObjectDamaged('missing') : error
}

/** The code of an error, such as `AccessDenied` or `ECONNREFUSED`: the message of a store may repeat the key and what was signed. */
function codeOf(error: unknown): string {
  const { name, code } = error as { name?: unknown; code?: unknown }
  const text = [code, name].find((each) => typeof each === 'string' && /^\w{1,60}$/.test(each))
  return typeof text === 'string' ? text : 'failed'
}
