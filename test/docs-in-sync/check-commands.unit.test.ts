import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import * as commands from '@paraph/web/check-commands'

it.each(Object.entries(commands))(
  'the %s commands on the pages and in the certificate are in docs/explanation/evidence.md, whose commands a test runs [D30]',
  async (_name, lines) => {
    const page = await readFile(fileURLToPath(new URL('../../docs/explanation/evidence.md', import.meta.url)), 'utf8')
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block)
    expect(blocks).toContain(`${lines.join('\n')}\n`)
  },
)
