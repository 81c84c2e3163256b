// What a guide is made of: data, so that both languages have the same parts. A test compares their shapes.
// Sentences may hold `code` and [links](address), see inline-text.tsx.
import type { Locale } from '@paraph/web/locale'
import type { SampleName } from './samples.js'

export type Block =
  /** A paragraph. */
  | string
  /** A heading with the anchor that it can be linked by. */
  | { heading: string; id: string }
  | { items: readonly string[] }
  /** The first column names its row. */
  | { columns: readonly string[]; rows: readonly (readonly string[])[] }
  | { sample: SampleName; title: string }
  /** Which test key the reader has, or how to come by one. */
  | { readersKey: true }
  /** To be done one after the other. */
  | { steps: readonly (readonly StepPart[])[] }
  /** The table of every error. */
  | { everyError: true }

type StepPart = string | { sample: SampleName; title: string } | { readersKey: true }

export interface GuideText {
  /** In the contents. */
  name: string
  title: string
  lead: string
  blocks: readonly Block[]
}

export type Guide = Readonly<Record<Locale, GuideText>>
