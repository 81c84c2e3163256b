// The partitions that one member of a group owns on the embedded bus, by session locks of the connection that reads and commits. [D50, P5]
import type { DirectConnection } from '@paraph/database/direct-connection'
import { keyOf, type PartitionProgress, type Place } from '../event-bus.js'

/** NOTIFY channel of the bus. Payload: a topic after messages were appended to it, GIVEN_BACK after a partition was given back. */
export const BUS_CHANNEL = 'paraph_bus'
export const GIVEN_BACK = 'given back'

export interface HeldPartition extends Place {
  /** The next offset to handle. */
  position: number
  committed: number
  end: number
  movedAtMs: number
  work?: Promise<void> | undefined
  /** True while this member owns more than its share: the current batch is the last one, then `giveBack` follows. */
  isLeaving: boolean
}

/** The session lock of a partition; parameters 1 and 2 are group and topic. */
const lockOf = (partition: string): string => `hashtextextended($1 || '/' || $2 || '/' || ${partition}, 0)`

/** Locks at most `count` of the partitions `free`, then reads the group's positions there: the last owner commits before it unlocks. */
export async function takePartitions(
  connection: DirectConnection,
  group: string,
  topic: string,
  free: readonly number[],
  count: number,
): Promise<HeldPartition[]> {
  const taken = await connection.query<{ partition: number }>(
    `select partition from unnest($3::smallint[]) as partition where pg_try_advisory_lock(${lockOf('partition')}) limit $4`,
    [group, topic, free, count],
  )
  if (taken.length === 0) return []
  const stored = await connection.query<Place & { next: number }>(
    'select topic, partition, next_offset::float8 as next from bus.positions($1)',
    [group],
  )
  const positions = new Map(stored.map((row) => [keyOf(row), row.next]))
  return taken.map(({ partition }) => {
    const position = positions.get(keyOf({ topic, partition })) ?? 0
    const movedAtMs = performance.now()
    return { topic, partition, position, committed: position, end: position, movedAtMs, isLeaving: false }
  })
}

/** Unlocks a partition whose work has ended and is committed, and notifies the members that wait for one. */
export async function giveBack(
  connection: DirectConnection,
  group: string,
  { topic, partition }: Place,
): Promise<void> {
  await connection.query(`select pg_advisory_unlock(${lockOf('$3::smallint')}), pg_notify($4, $5)`, [
    group,
    topic,
    partition,
    BUS_CHANNEL,
    GIVEN_BACK,
  ])
}

export const progressOf = ({ topic, partition, position, end, movedAtMs }: HeldPartition): PartitionProgress => ({
  topic,
  partition,
  behind: position < end,
  unmovedMs: Math.round(performance.now() - movedAtMs),
})
