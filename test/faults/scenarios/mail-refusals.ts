// The mail server refuses every recipient for good, as if none existed. [F34, P23]
import { until } from '../../harness/until.js'
import type { Scenario } from '../scenario.js'
import { untilIdle } from '../soundness.js'

/** How a mail server refuses everybody: without an enhanced code, as if the mailboxes did not exist, and for a policy. */
const REFUSALS = ['550 refused', '550 5.1.1 User unknown', '554 5.7.1 Relay access denied']

export const mailServerRefusesAll: Scenario = {
  fault: 'F34',
  name: 'mail-server-refuses-everybody',
  done: 'the mail server answers every RCPT TO with a permanent refusal for two minutes, in turn `550`, `550 5.1.1` and `554 5.7.1`, under load',
  holds:
    'no mail fails: every invitation and every code that is still valid arrives when the fault is over, without a hand; before and after it a dead mailbox among good ones fails at its first refusal',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 8 },
  full: { rounds: 10, scale: 1 },
  clients: 3,
  async play({ stack, workload, rounds, scaledMs, wait, record, fail }) {
    const refused = new Set<string>()
    const refuse = (everybody?: string): void => {
      refused.clear()
      stack.mailServer.refuseRecipients((address) => {
        if (address.startsWith('never')) return '550 5.1.1 User unknown'
        if (everybody) refused.add(address)
        return everybody
      })
    }
    refuse()
    const refusedForGood: string[] = []
    /** Ten different refused recipients are a fault of the server. The worker then makes the mails due again that had failed before. */
    const untilNoticed = (): Promise<true> =>
      until('a mail worker that notices the fault of the mail server', async () => {
        const failed = await stack.query(
          'notification',
          `select 1 from delivery where state = 'failed' and party_index > 0 and contract_id = any($1)`,
          [workload.created.map(({ id }) => id)],
        )
        return refused.size >= 10 && failed.length === 0 ? true : undefined
      })
    const createWithDead = async (): Promise<void> => {
      const contract = await workload.create(2, (at) => (at === 0 ? 'never' : 'ever'))
      refusedForGood.push(...contract!.emails.slice(0, 1))
      await until('the end of the mail to a dead mailbox', async () => {
        const [row] = await stack.query<{ state: string; attempts: number }>(
          'notification',
          `select state, attempts from delivery where contract_id = $1 and party_index = 0 and kind = 'invitation'`,
          [contract!.id],
        )
        if (row?.state !== 'failed') return undefined
        if (row.attempts !== 1) fail(`a mail to a dead mailbox was tried ${row.attempts} times`)
        return true
      })
    }
    await createWithDead()
    let created = 0
    for (let round = 0; round < rounds; round += 1)
      for (const refusal of REFUSALS) {
        refuse(refusal)
        const over = wait(scaledMs(40))
        for (let at = 0; at < 8; at += 1) if (await workload.create(2)) created += 1
        await over
        await untilNoticed()
        refuse()
        await until('a working mail server', async () => {
          const { circuit } = await stack.operator.notification.mail.check.mutate({})
          return circuit === 'closed' ? true : undefined
        })
      }
    await createWithDead()
    record('contractsMadeMeanwhile', created)
    await workload.stop()
    await untilIdle(stack)
    const failed = await stack.query<{ kind: string; outcome: string; n: number }>(
      'notification',
      `select kind, outcome, count(*)::int as n from delivery
        where state = 'failed' and contract_id = any($1) group by kind, outcome`,
      [workload.created.map(({ id }) => id)],
    )
    const inAll = failed.reduce((sum, { n }) => sum + n, 0)
    if (inAll !== refusedForGood.length) fail(`${inAll} mails failed: ${JSON.stringify(failed)}`)
    return { refusedForGood }
  },
}
