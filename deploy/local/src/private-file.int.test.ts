import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { pathsOf } from '@paraph/paraph/installation/data-folder'
import { openDemoAccount } from './demo-account.js'
import type { OperatorClient } from '@paraph/paraph/operator-client'
import { choosePorts } from '@paraph/paraph/installation/ports'
import { UserError } from '@paraph/config/refusal'
import { openSecrets } from '@paraph/paraph/installation/secrets'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'paraph-kept-'))))
afterEach(() => rm(folder, { recursive: true }))

const nobody = {} as OperatorClient

it.each([
  ['secrets', 'PARAPH_DATA_DIR', () => openSecrets(pathsOf(folder).secrets)],
  ['ports', 'Delete it', () => choosePorts(pathsOf(folder).ports, { gateway: 0, mailbox: 0 })],
  ['demoAccount', 'Delete it', () => openDemoAccount(pathsOf(folder), nobody)],
] as const)('the error names the broken file of the %s and the remedy [local-stack]', async (name, remedy, open) => {
  const path = pathsOf(folder)[name]
  // The contents after a power loss, and after a wrong edit by a person.
  for (const text of ['', '{"', '[]', '{"gateway":"x"}']) {
    await writeFile(path, text)
    const refusal: unknown = await open().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UserError)
    expect(String(refusal)).toContain(`The file ${path} is broken. `)
    expect(String(refusal)).toContain(remedy)
  }
})
