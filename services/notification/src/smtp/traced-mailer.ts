// The exchange with the mail relay as a span of its own: how long it took and what came of it, not to whom. [D51, I13, I14]
import { inSpan, markFailed } from '@paraph/telemetry/trace-context'
import type { Mailer } from './mailer.js'
import type { SmtpSettings } from './smtp-url.js'

/** `mailer`, told in traces. */
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
