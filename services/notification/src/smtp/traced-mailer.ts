// Traces the exchange with the SMTP server: its duration and outcome, not the recipient. [D51, I13, I14]
import { inSpan, markFailed } from '@paraph/telemetry/trace-context'
import type { Mailer } from './mailer.js'
import type { SmtpSettings } from './smtp-url.js'

/** `mailer` with a span around each `send`. */
export function tracedMailer(mailer: Mailer, { host, port }: SmtpSettings): Mailer {
  const attributes = { 'server.address': host, 'server.port': port }
  return {
    ...mailer,
    send: (mail, signal) =>
      inSpan({ name: 'SMTP send', kind: 'CLIENT', attributes }, async (span) => {
        const result = await mailer.send(mail, signal)
        span.setAttribute('paraph.outcome', result.outcome)
        if (result.outcome !== 'accepted') markFailed()
        return result
      }),
  }
}
