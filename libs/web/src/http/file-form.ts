// Reads a posted form with one file into memory. Owns the limits of its parts, and that an answer is possible before all of it was read.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { DomainError } from '@paraph/protocol/errors'

export interface FileForm {
  fields: ReadonlyMap<string, string>
  /** Empty if none was chosen. A buffer with an ArrayBuffer of its own. */
  file: Buffer
  /** Why the file is incomplete: it is too long, or there was no room for it. The rest was not read. */
  cut?: 'too_large' | 'busy'
}

/** A request, or its headers with a body that was read before. */
export type FormRequest = Readable & Pick<IncomingMessage, 'headers'>

interface ReadOptions {
  /** Of the file. */
  bytesMax: number
  /** Called before bytes are kept; false: there is no room. */
  hold?: (bytes: number) => boolean
  /** Awaited before the next bytes are read. */
  pace?: (bytes: number) => Promise<void>
}

/** For the boundaries, the headers and the fields of a form. */
const BESIDE_FILE_BYTES_MAX = 16_384
const LIMITS = { files: 1, fields: 4, parts: 5, fieldSize: 1_000, headerPairs: 20, headerSize: 4_096 }

/** @throws DomainError 415 for another media type, 400 for a form that cannot be read */
export async function readFileForm(
  request: FormRequest,
  { bytesMax, hold = () => true, pace = () => Promise.resolve() }: ReadOptions,
): Promise<FileForm> {
  const form = createParser(request, bytesMax)
  const fields = new Map<string, string>()
  const chunks: Buffer[] = []
  const over = Promise.withResolvers<'read' | 'broken' | NonNullable<FileForm['cut']>>()
  form.on('finish', () => over.resolve('read')).on('error', () => over.resolve('broken'))
  form.on('field', (name, value) => void fields.set(name, value))
  form.on('file', (_name, stream) => {
    stream.on('limit', () => over.resolve('too_large')).on('error', () => over.resolve('broken'))
    stream.on('data', (chunk: Buffer) => (hold(chunk.length) ? void chunks.push(chunk) : over.resolve('busy')))
  })
  const isLong = Number(request.headers['content-length']) > bytesMax + BESIDE_FILE_BYTES_MAX
  const outcome = isLong ? 'too_large' : await feed(request, form, over.promise, pace)
  if (outcome === 'read') return { fields, file: joined(chunks) }
  // Discards the rest. A request that was destroyed in place of that would have no answer.
  request.resume()
  if (outcome === 'broken') throw unreadable()
  return { fields, file: Buffer.alloc(0), cut: outcome }
}

/** Writes the request to `form` until `over`. @returns the outcome */
async function feed<Outcome>(
  request: FormRequest,
  form: BusboyInstance,
  over: Promise<Outcome>,
  pace: NonNullable<ReadOptions['pace']>,
): Promise<Outcome | 'broken'> {
  let isOver = false
  void over.then(() => (isOver = true))
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      // The parser calls back for no chunk with which it has failed.
      await Promise.race([new Promise((resolve) => form.write(chunk, resolve)), over])
      if (isOver) break
      await pace(chunk.length)
    }
  } catch {
    return 'broken'
  }
  form.end()
  return over
}

function createParser(request: FormRequest, fileSize: number) {
  const type = request.headers['content-type'] ?? ''
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!/^multipart\/form-data\s*;/i.test(type) || encoding !== 'identity')
    throw new DomainError('unsupported_media_type', 'Send the form as multipart/form-data.')
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: { ...LIMITS, fileSize } })
  } catch {
    throw unreadable()
  }
}

/** Not `Buffer.concat`, which puts a small result into memory that it shares with others. */
function joined(chunks: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(whole, at)
  return whole
}

const unreadable = () => new DomainError('invalid_request', 'The form could not be read. Go back and send it again.')
