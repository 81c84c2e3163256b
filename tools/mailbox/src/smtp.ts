// The SMTP server of the local start: takes every message, sends none on. The only file that knows smtp-server.
import { SMTPServer } from 'smtp-server'

const MESSAGE_BYTES_MAX = 25 * 1_024 * 1_024

/**
 * Listens on 127.0.0.1. A message is accepted (250) when `accept` has resolved, so that what is accepted is kept.
 * @param accept gets the raw message and the recipients of its envelope
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
        // What is too large is read to its end, as SMTP demands, but not kept.
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
  // A client that leaves early is its own affair.
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
