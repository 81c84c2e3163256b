// The samples of the reference, each a file that runs as it stands. Every one is run by a test against a real stack. [Endpoints]
// Owns: which there are, in which languages, and the addresses put into them.
import { readFileSync } from 'node:fs'
import type { PageProps } from './page-props.js'
import { CHAIN_COMMANDS, CHECK_COMMANDS, KEY_COMMANDS, READ_COMMANDS } from '@paraph/web/check-commands'

/** Languages of the samples, the first where none was chosen; what they are called and how their files end. */
export const CODE_LANGUAGES = [
  { id: 'curl', name: 'curl', ending: 'sh' },
  { id: 'node', name: 'Node', ending: 'mjs' },
  { id: 'python', name: 'Python', ending: 'py' },
] as const
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]['id']

const IN_EVERY_LANGUAGE = ['create-contract', 'get-contract', 'get-usage', 'get-status', 'wait', 'retry'] as const
const IN_A_SHELL = ['first-key', 'first-contract', 'first-look', 'evidence-files'] as const
/** Those of docs/verifying-evidence.md, where a test runs them too. */
const COMMANDS = {
  'evidence-check': CHECK_COMMANDS,
  'evidence-read': READ_COMMANDS,
  'evidence-chain': CHAIN_COMMANDS,
  'evidence-key': KEY_COMMANDS,
}

export type SampleName = (typeof IN_EVERY_LANGUAGE)[number] | (typeof IN_A_SHELL)[number] | keyof typeof COMMANDS
type Sample = Readonly<Partial<Record<CodeLanguage, string>>>

/** What the files say in place of this installation's address, and of the reader's key. */
const SAMPLE_ADDRESS = 'https://sign.example.com'
const SAMPLE_KEY = 'paraph_test_…'

const read = (file: string): string => readFileSync(new URL(`./samples/${file}`, import.meta.url), 'utf8').trimEnd()

const SAMPLES: ReadonlyMap<SampleName, Sample> = new Map<SampleName, Sample>([
  ...IN_EVERY_LANGUAGE.map((name): [SampleName, Sample] => [
    name,
    Object.fromEntries(CODE_LANGUAGES.map(({ id, ending }) => [id, read(`${name}.${ending}`)])),
  ]),
  ...IN_A_SHELL.map((name): [SampleName, Sample] => [name, { curl: read(`${name}.sh`) }]),
  ...Object.entries(COMMANDS).map(([name, lines]): [SampleName, Sample] => [
    name as SampleName,
    { curl: lines.join('\n') },
  ]),
])

/** @param baseUrl where clients reach this installation, without a path */
export function sampleFor(name: SampleName, { baseUrl, reader }: Pick<PageProps, 'baseUrl' | 'reader'>): Sample {
  return Object.fromEntries(
    Object.entries(SAMPLES.get(name)!).map(([language, code]) => [
      language,
      code.replaceAll(SAMPLE_ADDRESS, baseUrl).replaceAll(SAMPLE_KEY, reader?.testKey ?? SAMPLE_KEY),
    ]),
  )
}
