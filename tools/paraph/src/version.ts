// The version of `paraph`, with the commit of the checkout that it runs from.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { VERSION } from '@paraph/protocol/version'
import { ROOT } from './config.js'
import type { Said } from './command.js'

/** The version; `commit` is null outside a checkout, such as in the image. */
export async function readVersion(): Promise<Said> {
  const commit = existsSync(join(ROOT, '.git')) ? await readCommit() : null
  return {
    answer: { version: VERSION, commit },
    text: `paraph ${VERSION}${commit === null ? '' : ` (commit ${commit})`}`,
  }
}

const readCommit = (): Promise<string | null> =>
  promisify(execFile)('git', ['-C', ROOT, 'rev-parse', '--short', 'HEAD']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
