// The slots of an outbox that one relay publishes, and the connection whose session locks they are. All end together. [D48, P5]
// Session advisory locks rather than lease rows: a lock ends with its connection, so no lease has to be renewed, compared with a clock or
// waited out. A relay that lost its locks without noticing can only repeat events that its successor also publishes: the first copies of
// all events still arrive in order, and the inbox drops the second ones.
import { openDirectConnection } from '@paraph/database/direct-connection'
import { SHARE_EVERY_MS, shareOf } from './members.js'
import { OUTBOX_SLOTS } from './outbox.js'

/** First number of the two-number advisory locks of relays; the second is the slot. */
export const RELAY_LOCK_CLASS = 0x70617261
/** NOTIFY channel of the relays of one outbox. Payload: `rows` after commits, `slots` after slots were given back. */
const CHANNEL = 'paraph_relay'

/**
 * @param directUrl the service's database as its runtime role, not through a transaction pooler
 * @param onNotified called when another relay reports rows or free slots
 */
export async function openSlotLease(directUrl: string, onNotified: () => void) {
  const slots: number[] = []
  let sharedAtMs = -Infinity
  const connection = await openDirectConnection(directUrl, 'paraph relay', (payload) => {
    if (payload === 'slots') sharedAtMs = -Infinity
    onNotified()
  })
  await connection.query(`listen ${CHANNEL}`)
  // A plan from the time when the outbox was empty would read all of a later backlog for each slot. [P45]
  await connection.query('set enable_seqscan = off')

  async function giveBack(surplus: number[]): Promise<void> {
    await connection.query(
      `select pg_advisory_unlock($1, slot), pg_notify($2, 'slots') from unnest($3::int[]) as slot`,
      [RELAY_LOCK_CLASS, CHANNEL, surplus],
    )
  }

  async function take(count: number): Promise<void> {
    const others = Array.from({ length: OUTBOX_SLOTS }, (_, slot) => slot).filter((slot) => !slots.includes(slot))
    const rows = await connection.query<{ slot: number }>(
      'select slot from unnest($2::int[]) as slot where pg_try_advisory_lock($1, slot) limit $3',
      [RELAY_LOCK_CLASS, others, count],
    )
    slots.push(...rows.map(({ slot }) => slot))
  }

  return {
    connection,
    slots: slots as readonly number[],
    /** Gives back slots beyond this relay's share, or takes free ones. Only between batches: a slot with rows on their way stays here. */
    async share(): Promise<void> {
      if (performance.now() - sharedAtMs < SHARE_EVERY_MS) return
      sharedAtMs = performance.now()
      const share = await shareOf(connection, OUTBOX_SLOTS)
      if (slots.length > share) await giveBack(slots.splice(share))
      else if (slots.length < share) await take(share - slots.length)
    },
    /** Tells the other relays that rows were committed. A statement of its own: channel-listener.ts says why. */
    async notifyOthers(): Promise<void> {
      await connection.query(`select pg_notify($1, 'rows')`, [CHANNEL])
    },
  }
}

export type SlotLease = Awaited<ReturnType<typeof openSlotLease>>
