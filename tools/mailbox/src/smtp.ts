// The SMTP server of the local start: accepts every message and forwards none. The only importer of smtp-server.
import { SMTPServer } from 'smtp-server'

const MESSAGE_BYTES_MAX = 25 * 1_024 * 1_024

/**
 * Listens on 127.0.0.1. Answers 250 when `accept` has resolved, so an accepted message is stored.
 * @param accept called with the raw message and the recipients of its envelope
 */
export async function startSmtpServer({
  port,
  accept,
}: {
  port: number
  accept: (raw: Buffer, recipients: string[]) => Promise<unknown>
}) {
  const server = new SMTPServer({
    banner: 'Paraph local mailbox',
    size: MESSAGE_BYTES_MAX,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 2_000,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        // SMTP demands that a message that is too large is read to its end; it is not stored.
        if (bytes <= MESSAGE_BYTES_MAX) chunks.push(chunk)
      })
      stream.once('end', () => {
        if (bytes > MESSAGE_BYTES_MAX) {
          done(Object.assign(new Error('The message is larger than 25 MiB.'), { responseCode: 552 }))
          return
        }
        accept(
          Buffer.concat(chunks),
          session.envelope.rcptTo.map(({ address }) => address),
        ).then(
          () => done(),
          () => done(Object.assign(new Error('The message could not be kept. Try again.'), { responseCode: 451 })),
        )
      })
    },
  })
  // A client may disconnect early.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.server.address() as { port: number }).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
