// Streams of rows: merged by key, with the rows of one key in memory, and cut into chunks. Pure.

/**
 * @param streams each ordered by `key`, byte by byte (`collate "C"`)
 * @returns for each key of any stream its rows per stream, in the order of `streams`
 */
export async function* mergeByKey<Row extends { key: string }>(
  streams: readonly AsyncIterable<Row>[],
): AsyncGenerator<{ key: string; rows: Row[][] }, void> {
  const readers = streams.map((stream) => ({
    rows: stream[Symbol.asyncIterator](),
    head: undefined as Row | undefined,
  }))
  const advance = async (reader: (typeof readers)[number]): Promise<void> => {
    const next = await reader.rows.next()
    reader.head = next.done ? undefined : next.value
  }
  try {
    for (const reader of readers) await advance(reader)
    for (;;) {
      const [key] = readers.flatMap(({ head }) => (head ? [head.key] : [])).sort()
      if (key === undefined) return
      const rows: Row[][] = []
      for (const reader of readers) {
        const ofKey: Row[] = []
        for (; reader.head?.key === key; await advance(reader)) ofKey.push(reader.head)
        rows.push(ofKey)
      }
      yield { key, rows }
    }
  } finally {
    for (const { rows } of readers) await rows.return?.(undefined)
  }
}

/** The items of `stream` in arrays of `size`, the last one shorter. */
export async function* inChunks<Item>(stream: AsyncIterable<Item>, size = 500): AsyncGenerator<Item[], void> {
  let chunk: Item[] = []
  for await (const item of stream) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
