import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from '@jest/globals'

interface Progress {
  step: (name: string) => void
  say: (line: string) => void
  finish: () => void
  fail: () => void
}
const { createProgress } = (await import(new URL('../progress.mjs', import.meta.url).href)) as {
  createProgress: (out: PassThrough) => Progress
}

/** @returns a progress, and what it has written so far */
function open({ isTTY }: { isTTY: boolean }) {
  let text = ''
  const out = Object.assign(new PassThrough(), { isTTY, columns: 80 })
  out.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  return { progress: createProgress(out), written: () => text }
}

it('each step of a start is one line with its time; a failed step has a cross [local-stack]', () => {
  const { progress, written } = open({ isTTY: false })
  progress.step('Postgres')
  progress.say('Created a user.')
  progress.step('Services')
  progress.fail()
  expect(written()).toMatch(/^Created a user\.\n✓ Postgres +\d+\.\d s\n✗ Services +\d+\.\d s\n$/)
})

it('a terminal shows the current step, and a sentence above it [local-stack]', () => {
  const { progress, written } = open({ isTTY: true })
  progress.step('Postgres')
  expect(stripVTControlCharacters(written())).toBe('  Postgres')
  progress.say('Created a user.')
  progress.finish()
  // Erased by the terminal: each time the current step, before the next line.
  expect(stripVTControlCharacters(written())).toMatch(/Created a user\.\n {2}Postgres✓ Postgres +\d+\.\d s\n$/)
})
