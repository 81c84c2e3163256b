// The SMTP server of the mailbox: accepts every message and forwards none. The only importer of smtp-server.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer } from 'smtp-server'

const MESSAGE_BYTES_MAX = 25 * 1_024 * 1_024
const failure = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })

/**
 * Listens on `host`. Answers 250 when `accept` has resolved, so an accepted message is stored.
 * @param accept called with the raw message and the recipients of its envelope
 */
export async function startSmtpServer(
  port: number,
  accept: (raw: Buffer, recipients: string[]) => Promise<unknown>,
  host = '127.0.0.1',
) {
  async function receive(stream: Readable, recipients: string[]): Promise<void> {
    const raw = await readMessage(stream)
    if (!raw) throw failure(552, 'The message is larger than 25 MiB.')
    await accept(raw, recipients).catch(() => {
      throw failure(451, 'The message could not be kept. Try again.')
    })
  }
  const server = new SMTPServer({
    banner: 'Paraph local mailbox',
    size: MESSAGE_BYTES_MAX,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 2_000,
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address)
      receive(stream, recipients).then(() => done(), done)
    },
  })
  // Ignored: a client may disconnect early.
  server.on('error', () => undefined)
  server.listen(port, host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Reads a message to its end, as SMTP demands even if the message is too large. @returns undefined if it is too large */
async function readMessage(stream: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MESSAGE_BYTES_MAX) chunks.push(chunk)
  }
  return bytes <= MESSAGE_BYTES_MAX ? Buffer.concat(chunks) : undefined
}
