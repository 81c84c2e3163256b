// Waits until the invitations of a contract are sent: each of them changes the contract, and ends a long poll. [D52]
import { until } from '../until.js'

/** @param read reads the contract; resolves with the first answer in which every invitation is sent */
export const whenInvited = <Answer extends { text: string }>(read: () => Promise<Answer>): Promise<Answer> =>
  until('all invitations are sent', async () => {
    const answer = await read()
    const deliveries = [...answer.text.matchAll(/"delivery":"(\w+)"/g)].map(([, delivery]) => delivery)
    return deliveries.length > 0 && deliveries.every((delivery) => delivery === 'sent') ? answer : undefined
  })
