// Streams of rows: merged by key, with the rows of one key in memory, and cut into chunks. Pure.

/**
 * @param streams each ordered by `key`, byte by byte (`collate "C"`)
 * @returns for each key of any stream its rows per stream, in the order of `streams`
 */
export async function* mergeByKey<Row extends { key: string }>(
  streams: readonly AsyncIterable<Row>[],
): AsyncGenerator<{ key: string; rows: Row[][] }, void> {
  const readers = streams.map((stream) => stream[Symbol.asyncIterator]())
  const heads: (Row | undefined)[] = []
  const advance = async (index: number): Promise<void> => {
    const next = await readers[index]!.next()
    heads[index] = next.done ? undefined : next.value
  }
  try {
    for (const index of readers.keys()) await advance(index)
    for (;;) {
      const keys = heads.flatMap((head) => (head ? [head.key] : []))
      if (keys.length === 0) return
      const key = keys.reduce((least, each) => (each < least ? each : least))
      const rows: Row[][] = readers.map(() => [])
      for (const index of readers.keys()) {
        for (let head = heads[index]; head?.key === key; head = heads[index]) {
          rows[index]!.push(head)
          await advance(index)
        }
      }
      yield { key, rows }
    }
  } finally {
    for (const reader of readers) await reader.return?.(undefined)
  }
}

/** The items of `stream` in arrays of `size`, the last one shorter. */
export async function* inChunks<Item>(stream: AsyncIterable<Item>, size: number): AsyncGenerator<Item[], void> {
  let chunk: Item[] = []
  for await (const item of stream) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
