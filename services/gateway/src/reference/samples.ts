// The code samples of the reference: each is a file that runs unchanged. A test runs every one against a real stack. [Endpoints]
// Owns their names and languages, and the address and key that replace the placeholders.
import { readFileSync } from 'node:fs'
import { CHAIN_COMMANDS, CHECK_COMMANDS, KEY_COMMANDS, READ_COMMANDS } from '@paraph/web/check-commands'

/** The languages of the samples, with their names, file extensions and names in Markdown. The first is the default. */
export const CODE_LANGUAGES = [
  { id: 'curl', name: 'curl', ending: 'sh', fence: 'bash' },
  { id: 'node', name: 'Node', ending: 'mjs', fence: 'js' },
  { id: 'python', name: 'Python', ending: 'py', fence: 'python' },
] as const
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]['id']

const IN_EVERY_LANGUAGE = ['create-contract', 'get-contract', 'get-usage', 'get-status', 'wait', 'retry'] as const
const IN_A_SHELL = ['first-key', 'first-contract', 'first-look', 'evidence-files'] as const
/** The commands of docs/explanation/evidence.md. */
const COMMANDS = {
  'evidence-check': CHECK_COMMANDS,
  'evidence-read': READ_COMMANDS,
  'evidence-chain': CHAIN_COMMANDS,
  'evidence-key': KEY_COMMANDS,
}

export type SampleName = (typeof IN_EVERY_LANGUAGE)[number] | (typeof IN_A_SHELL)[number] | keyof typeof COMMANDS
type Sample = Readonly<Partial<Record<CodeLanguage, string>>>

/** The placeholders in the files: the address of this installation and the reader's key. */
const SAMPLE_ADDRESS = 'https://sign.example.com'
const SAMPLE_KEY = 'paraph_test_…'

const read = (file: string): string => readFileSync(new URL(`./samples/${file}`, import.meta.url), 'utf8').trimEnd()

const SAMPLES: ReadonlyMap<string, Sample> = new Map([
  ...IN_EVERY_LANGUAGE.map((name): [string, Sample] => [
    name,
    Object.fromEntries(CODE_LANGUAGES.map(({ id, ending }) => [id, read(`${id}/${name}.${ending}`)])),
  ]),
  ...IN_A_SHELL.map((name): [string, Sample] => [name, { curl: read(`curl/${name}.sh`) }]),
  ...Object.entries(COMMANDS).map(([name, lines]): [string, Sample] => [name, { curl: lines.join('\n') }]),
])

/** The samples of an operation as `x-codeSamples` of the OpenAPI document: `create-contract` for `createContract`. [D56] */
export function codeSamplesOf(operationId: string, baseUrl: string) {
  const sample = sampleFor(
    operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    { baseUrl },
  )
  return CODE_LANGUAGES.map(({ id, name: label, fence }) => ({ lang: fence, label, source: sample[id] ?? '' }))
}

/** A reader who is signed in to the console, or any reader of a local start. */
export interface DocsReader {
  /** The hint of their newest active sandbox key, such as `paraph_test_…k3v9`; undefined if there is none. */
  testKey: string | undefined
  /** True if `testKey` is the whole key of the demo account of a local start. */
  isDemo?: boolean
}

export interface SampleProps {
  /** Public origin of this installation, without a path. */
  baseUrl: string
  /** Undefined if nobody is signed in. */
  reader?: DocsReader | undefined
}

/**
 * The code of a sample by language, with the address of this installation and the hint of the reader's key.
 * @throws Error if there is no sample `name`
 */
export function sampleFor(name: string, { baseUrl, reader }: SampleProps): Sample {
  const sample = SAMPLES.get(name)
  if (!sample) throw new Error(`There is no sample ${name}`)
  return Object.fromEntries(
    Object.entries(sample).map(([language, code]) => [
      language,
      code.replaceAll(SAMPLE_ADDRESS, baseUrl).replaceAll(SAMPLE_KEY, reader?.testKey ?? SAMPLE_KEY),
    ]),
  )
}
