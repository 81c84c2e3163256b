// Measures how long it takes to read and render a contract's text: the worst known texts of 50 KB against 50 KB of plain prose.
// Prints the best time of nine rounds (BENCH_ROUNDS), its ratio to the time of the prose in the same process, and the size of the HTML.
// Run: npm run bench -- hot-paths.
import { h } from 'preact'
import { readText } from '@paraph/web/contract-text/read-text'
import { renderPage } from '@paraph/web/page-answer'
import { fill, WORST } from '../../libs/web/test/seeded-text-fixture.ts'
import { ContentsList, ContractTextView } from '@paraph/web/contract-text-view'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const PROSE = fill('The party pays the price named in section 2.1 within thirty days of delivery of the goods.\n\n')

const page = (text) =>
  renderPage(h('main', null, h(ContentsList, { text, locale: 'en' }), h(ContractTextView, { text, locale: 'en' })))

function best(work) {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

const measure = (content) => {
  const text = readText(content)
  return {
    read: best(() => readText(content)),
    render: best(() => page(text)),
    kilobytes: Buffer.byteLength(page(text)) / 1000,
  }
}

// Warms up reading and rendering before the measurement.
for (const content of [PROSE, ...Object.values(WORST)]) measure(content)
const prose = measure(PROSE)
process.stdout.write(
  `plain prose: read ${prose.read.toFixed(1)} ms, render ${prose.render.toFixed(1)} ms, ${prose.kilobytes.toFixed(0)} KB of HTML\n`,
)
for (const [name, content] of Object.entries(WORST)) {
  const { read, render, kilobytes } = measure(content)
  const ratio = (read + render) / (prose.read + prose.render)
  process.stdout.write(
    `${name}: ${ratio.toFixed(1)} × (read ${read.toFixed(1)} ms, render ${render.toFixed(1)} ms), ${kilobytes.toFixed(0)} KB of HTML\n`,
  )
}
