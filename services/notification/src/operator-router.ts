// The procedures of the notification service for the operator's command line. Internal port only. [D45]
import { randomUUID } from 'node:crypto'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { isMailAddress } from '@paraph/protocol/text-rules'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/rpc/mount'
import type { DeliveryClaims } from './queue/claim-delivery.js'
import type { HeldMails } from './queue/held-mails.js'
import type { RetryFailed } from './queue/retry-failed.js'
import type { Mailer } from './smtp/mailer.js'
import { describeSmtp, describeTestMail, NO_TEST_MAIL, NOT_REACHED } from './smtp/check.js'
import type { SmtpCircuit } from './smtp/circuit.js'
import type { SmtpSettings } from './smtp/smtp-url.js'

/** The same time limit as for any other mail. */
const TEST_MAIL_MS = 40_000

const t = initTRPC.context<RpcContext>().create()

export interface OperatorDeps {
  claims: Pick<DeliveryClaims, 'readQueue'>
  heldMails: HeldMails
  retryFailed: RetryFailed
  circuit: Pick<SmtpCircuit, 'isOpen' | 'lastFailure'>
  mailer: Pick<Mailer, 'check' | 'send'>
  smtp: SmtpSettings
  /** The right side of a Message-ID. */
  domain: string
  messaging: MessagingRouter
}

/** `mail check`, `mail retry`, `mail held` and `mail drop` of the command line, and the service's part of `outbox status` and `dead-letter`. */
export function createOperatorRouter(deps: OperatorDeps) {
  const { claims, heldMails, retryFailed, circuit, mailer, smtp, domain, messaging } = deps
  const sendTestMail = async (address: string) =>
    describeTestMail(
      await mailer.send(
        {
          messageId: `check.${randomUUID()}@${domain}`,
          fromName: 'Paraph',
          to: { name: '', address },
          replyTo: undefined,
          subject: 'Paraph can send mail',
          text: 'An operator of this Paraph sent this mail to see whether mail arrives. It asks for nothing.\n',
          html: '<p>An operator of this Paraph sent this mail to see whether mail arrives. It asks for nothing.</p>\n',
        },
        AbortSignal.timeout(TEST_MAIL_MS),
      ),
    )

  return t.router({
    messaging,
    mail: t.router({
      /** Connects to the SMTP server as for a mail, and counts the due mails. Sends a mail only to `to`, if given. */
      check: t.procedure
        .input(
          z.object({
            to: z.string().max(254).refine(isMailAddress, 'to must be one plain address with a domain.').optional(),
          }),
        )
        .mutation(async ({ input: { to } }) => {
          const [queue, findings] = await Promise.all([claims.readQueue(), mailer.check()])
          const steps = describeSmtp(smtp, findings)
          const reached = steps.every(({ result }) => result !== 'failed')
          if (to === undefined) steps.push(NO_TEST_MAIL)
          else steps.push(reached ? await sendTestMail(to) : { ...NO_TEST_MAIL, sentence: NOT_REACHED })
          const lastFailure = circuit.lastFailure()
          return {
            works: steps.every(({ result }) => result !== 'failed'),
            steps,
            queue,
            circuit: circuit.isOpen() ? ('open' as const) : ('closed' as const),
            lastFailure: lastFailure ? { reason: lastFailure.reason, at: lastFailure.at.toISOString() } : null,
          }
        }),

      /** Makes a batch of failed mails due again; see retry-failed.ts. */
      retry: t.procedure
        .input(
          z.object({
            failedSince: z.iso.datetime(),
            failedUntil: z.iso.datetime().nullable(),
            reason: z.enum(['refused', 'gave_up']).nullable(),
          }),
        )
        .mutation(async ({ input: { failedSince, failedUntil, reason } }) => {
          const batch = await retryFailed({
            failedSince: new Date(failedSince),
            failedUntil: failedUntil === null ? null : new Date(failedUntil),
            reason,
          })
          return { ...batch, failedUntil: batch.failedUntil.toISOString() }
        }),

      /** The mails held after a restore, by kind. */
      held: t.procedure.query(() => heldMails.readKinds()),

      /** A page of the names, as in the SMTP server's log, of the held mails that were created until `madeUntil`. */
      heldNames: t.procedure
        .input(z.object({ madeUntil: z.iso.datetime(), after: z.int().min(0) }))
        .query(({ input }) => heldMails.readNames(new Date(input.madeUntil), input.after)),

      /** Records held mails as sent before the restore. */
      drop: t.procedure
        .input(z.object({ names: z.array(z.string().min(1).max(200)).max(100) }))
        .mutation(async ({ input }) => ({ dropped: await heldMails.recordSent(input.names) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
