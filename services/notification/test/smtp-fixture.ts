// An SMTP server for tests, in this process, with answers that a test can change.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { waitFor } from '@paraph/testing/wait-for'

/** The answer to a mail: an SMTP code, `hang` for no answer after the message, or `ok`. */
export type Answer = 'ok' | 'hang' | number

interface ReceivedMail {
  /** The envelope. */
  from: string
  to: string[]
  /** The raw bytes as Latin-1, so that nothing is decoded. */
  raw: string
  parsed: Email
  answer: Answer
}

interface SmtpServerOptions {
  /** Offers STARTTLS with a self-signed certificate, or with the given certificate. */
  tls?: boolean | { certificate: string; key: string }
  /** TLS from the first byte. */
  secure?: boolean
  /** Delay of the answer to each mail. */
  answerMs?: number
  /** Offers AUTH, and requires it once `logins` are set. */
  offersLogin?: boolean
}

/** Starts a server on 127.0.0.1; `port` 0 takes any free port. */
export async function startSmtpServer(
  port = 0,
  { tls = false, secure = false, answerMs = 0, offersLogin = false }: SmtpServerOptions = {},
) {
  const mails: ReceivedMail[] = []
  let takesMs: (mail: Email) => number = () => answerMs
  let answer: (mail: Email) => Answer = () => 'ok'
  let refuse: (address: string) => string | undefined = () => undefined
  /** Accepted logins, `user:password`; undefined when no login is required. */
  let logins: ReadonlySet<string> | undefined
  const server = new SMTPServer({
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(offersLogin ? [] : ['AUTH'])],
    // Checked at each mail instead, because the requirement can change while the server runs.
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, callback) {
      if (logins === undefined || logins.has(`${username}:${password}`)) callback(null, { user: username ?? '' })
      else callback(Object.assign(new Error('no such login'), { responseCode: 535 }))
    },
    onMailFrom(_, { user }, callback) {
      callback(logins === undefined || user ? null : Object.assign(new Error('log in first'), { responseCode: 530 }))
    },
    onRcptTo({ address }, _, callback) {
      const [, code, text] = /^(\d{3}) (.*)$/.exec(refuse(address) ?? '') ?? []
      callback(code === undefined ? null : Object.assign(new Error(text), { responseCode: Number(code) }))
    },
    secure,
    ...(typeof tls === 'object' ? { cert: tls.certificate, key: tls.key } : {}),
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
          setTimeout(() => callback(given === 'ok' ? null : refusal), takesMs(parsed))
        })
      })
    },
  })
  server.on('error', () => undefined)
  // Retries, because the system may have assigned the port of an earlier server to another process.
  await waitFor(async () => {
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
  })
  return {
    mails,
    /** The accepted mails. */
    accepted: () => mails.filter((mail) => mail.answer === 'ok'),
    port: (server.server.address() as AddressInfo).port,
    /** Requires one of these logins, `user:password`, from now on. */
    askForLogin: (...taken: string[]) => void (logins = new Set(taken)),
    /** Sets the delay of the answer to each mail. */
    takeTime: (ms: number | ((mail: Email) => number)) => void (takesMs = typeof ms === 'number' ? () => ms : ms),
    answerWith: (next: (mail: Email) => Answer) => void (answer = next),
    /** Answers RCPT TO from now on with the line that `next` gives for the recipient, such as `550 5.1.1 unknown`, if it gives one. */
    refuseRecipients: (next: (address: string) => string | undefined) => void (refuse = next),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type TestSmtpServer = Awaited<ReturnType<typeof startSmtpServer>>
