// Parses docs/runbooks for tests: pages, code blocks, commands, SQL statements. Pure except for reading the files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../docs/runbooks', import.meta.url))

export interface Page {
  name: string
  text: string
}

/** Every page, including README.md. */
export const RUNBOOK_PAGES: readonly Page[] = readdirSync(FOLDER).map((file) => ({
  name: file.replace(/\.md$/, ''),
  text: readFileSync(join(FOLDER, file), 'utf8'),
}))

/** The fenced blocks of a language. */
export const blocksOf = ({ text }: Page, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block!)

/** The arguments of every `paraph` command, in code blocks and in sentences. */
export function paraphCommandsOf(page: Page): string[][] {
  const lines = blocksOf(page, 'sh').flatMap((block) => block.split('\n'))
  const inSentences = [...page.text.matchAll(/(?<!`)`(paraph [^`]+)`(?!`)/g)].map(([, line]) => line!)
  return [...lines, ...inSentences]
    .filter((line) => line.startsWith('paraph '))
    .map((line) =>
      line
        .replace(/ \|.*$/, '')
        .split(' ')
        .slice(1),
    )
}

/** Every SQL statement, with the database that its first line names. */
export function statementsOf(page: Page): { database: string; statement: string }[] {
  return blocksOf(page, 'sql').map((block) => {
    const [, database] = /^-- in the database (\w+)\n/.exec(block) ?? []
    if (database === undefined) throw new Error(`A statement of ${page.name} does not name its database.`)
    return { database, statement: block }
  })
}
