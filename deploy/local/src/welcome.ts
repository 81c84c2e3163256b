// What `npm start` prints when everything runs: the addresses, whom to sign in as, and a first call that works as printed.
import { firstContractCommand } from '@paraph/mailbox/first-contract'
import { bold, dim, formatTable, underlined, type TableRow } from '@paraph/paraph/table'
import type { LocalPages } from './stack-file.js'

/** A narrower terminal has no room for comments. */
const COLUMNS_WITH_NOTES = 100

interface WelcomeData extends LocalPages {
  sandboxKey: string
  /** Width of the terminal; undefined for a file or a pipe, 0 for a pseudo terminal that nobody has sized. */
  columns: number | undefined
}

/** The text after a start. */
export function welcomeText({ homeUrl, addresses, signIn, sandboxKey, columns }: WelcomeData): string {
  const addressRow = (name: string, url: string, note: string): TableRow => [
    bold(name),
    underlined(url),
    ...((columns || COLUMNS_WITH_NOTES) < COLUMNS_WITH_NOTES ? [] : [dim(note)]),
  ]
  const table = formatTable([
    addressRow('Start here', homeUrl, 'Sign your first contract in three steps'),
    ...addresses.map(({ name, url, note }) => addressRow(name, url, note)),
    [bold('Sign in as'), signIn],
    [bold('Sandbox key'), sandboxKey],
  ])
  const call = firstContractCommand(addresses.find(({ name }) => name === 'API')?.url ?? '', sandboxKey)
  return [
    `\n${bold('Paraph is running.')} Press Ctrl-C to stop it.`,
    table,
    `${bold('Create a contract')} from a second terminal:`,
    call.replace(/^/gm, '  '),
  ].join('\n\n')
}
