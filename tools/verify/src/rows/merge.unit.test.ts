import { expect, it } from '@jest/globals'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { mergeByKey } from './merge.js'

interface Row {
  key: string
  value: number
}

async function* streamOf(rows: readonly Row[]): AsyncGenerator<Row, void> {
  for (const row of rows) yield row
}

it('the merge returns every row of every stream once, grouped by key, in the order of the keys', async () => {
  const random = createSeededRandom(6)
  for (let round = 0; round < 200; round++) {
    const streams = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, stream) =>
      Array.from({ length: Math.floor(random() * 12) }, (_, index) => ({
        key: `k${Math.floor(random() * 6)}`,
        value: stream * 100 + index,
      })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)),
    )
    const merged: { key: string; rows: Row[][] }[] = []
    for await (const each of mergeByKey(streams.map(streamOf))) merged.push(each)
    const keys = [...new Set(streams.flat().map(({ key }) => key))].sort()
    expect(merged).toEqual(
      keys.map((key) => ({ key, rows: streams.map((stream) => stream.filter((row) => row.key === key)) })),
    )
  }
})
