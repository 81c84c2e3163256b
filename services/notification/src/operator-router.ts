// What the operator's command line may ask of the mail queue. Internal port only. [D45]
import { randomUUID } from 'node:crypto'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { isMailAddress } from '@paraph/protocol/text-rules'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { Deliveries } from './deliveries.js'
import type { HeldMails } from './held-mails.js'
import type { Mailer } from './mailer.js'
import { describeRelay, describeTestMail, NO_TEST_MAIL } from './relay-check.js'
import type { RelayCircuit } from './relay-circuit.js'
import type { SmtpSettings } from './smtp-url.js'

/** A test mail gets as long as any other. */
const TEST_MAIL_MS = 40_000

const t = initTRPC.context<RpcContext>().create()

/** `mail check`, `held` and `drop` of the command line, and the service's part of `outbox status` and `dead-letter`. @param domain right side of a Message-ID */
export function createOperatorRouter({
  deliveries,
  heldMails,
  circuit,
  mailer,
  smtp,
  domain,
  messaging,
}: {
  deliveries: Pick<Deliveries, 'readQueue'>
  heldMails: HeldMails
  circuit: Pick<RelayCircuit, 'isOpen' | 'lastFailure'>
  mailer: Pick<Mailer, 'check' | 'send'>
  smtp: SmtpSettings
  domain: string
  messaging: MessagingRouter
}) {
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
      /** Tries the relay as a mail would, and shows what waits. Sends something only to `to`. */
      check: t.procedure
        .input(
          z.object({
            to: z.string().max(254).refine(isMailAddress, 'to must be one plain address with a domain.').optional(),
          }),
        )
        .mutation(async ({ input: { to } }) => {
          const [queue, findings] = await Promise.all([deliveries.readQueue(), mailer.check()])
          const steps = describeRelay(smtp, findings)
          const reached = steps.every(({ result }) => result !== 'failed')
          const testMail = to === undefined || !reached ? NO_TEST_MAIL : await sendTestMail(to)
          const all =
            to === undefined || reached ? [...steps, testMail] : [...steps, { ...testMail, sentence: 'Not reached.' }]
          const lastFailure = circuit.lastFailure()
          return {
            works: all.every(({ result }) => result !== 'failed'),
            steps: all,
            queue,
            circuit: circuit.isOpen() ? ('open' as const) : ('closed' as const),
            lastFailure: lastFailure ? { reason: lastFailure.reason, at: lastFailure.at.toISOString() } : null,
          }
        }),

      /** What is held after a restore, by kind. */
      held: t.procedure.query(() => heldMails.readKinds()),

      /** What a relay's log calls the held mails that were made up to `madeUntil`, in parts. */
      heldNames: t.procedure
        .input(z.object({ madeUntil: z.iso.datetime(), after: z.int().min(0) }))
        .query(({ input }) => heldMails.readNames(new Date(input.madeUntil), input.after)),

      /** Records held mails as sent before the restore. */
      drop: t.procedure
        .input(z.object({ names: z.array(z.string().min(1).max(200)).max(100) }))
        .mutation(async ({ input }) => ({ dropped: await heldMails.noteSent(input.names) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
