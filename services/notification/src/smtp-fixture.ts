// A mail relay for tests: real SMTP in this process, whose answers a test can change.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** What the relay says to the next mail: an SMTP code, `hang` after the data, or `ok`. */
export type Answer = 'ok' | 'hang' | number

interface ReceivedMail {
  /** The envelope. */
  from: string
  to: string[]
  /** As it came; bytes as Latin-1, so that nothing is decoded. */
  raw: string
  parsed: Email
  answer: Answer
}

/** Starts a relay that takes `answerMs` over each mail; `port` 0 takes any free one. With `tls` it offers STARTTLS, under a certificate of no authority. */
export async function startRelay(port = 0, { tls = false, answerMs = 0 } = {}) {
  const mails: ReceivedMail[] = []
  let answer: (mail: Email) => Answer = () => 'ok'
  const server = new SMTPServer({
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks)
        void PostalMime.parse(bytes).then((parsed) => {
          const given = answer(parsed)
          const { mailFrom, rcptTo } = session.envelope
          mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map((each) => each.address),
            raw: bytes.toString('latin1'),
            parsed,
            answer: given,
          })
          if (given === 'hang') return
          const refusal = Object.assign(new Error('refused jane.roe@example.com'), { responseCode: given })
          setTimeout(() => callback(given === 'ok' ? null : refusal), answerMs)
        })
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    mails,
    /** Those that were accepted. */
    accepted: () => mails.filter((mail) => mail.answer === 'ok'),
    port: (server.server.address() as AddressInfo).port,
    answerWith: (next: (mail: Email) => Answer) => void (answer = next),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type TestRelay = Awaited<ReturnType<typeof startRelay>>
