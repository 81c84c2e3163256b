// `paraph evidence …`: check a sealed PDF or its evidence offline; export the signed chain of a contract. [D30, D43]
import { readFile, stat } from 'node:fs/promises'
import { checkEvidence, type Beside } from '@paraph/signing/verify/check'
import { ID, type Command } from '../command.js'
import { formatTable } from '../table.js'
import { UserError } from '@paraph/config/refusal'

export const evidenceCommands: readonly Command[] = [
  {
    name: 'evidence verify',
    purpose:
      'Checks a signed PDF or evidence.jws offline. Exit code 1: a check failed. Exit code 3: every check that was made holds, but you gave nothing to compare the key or certificate with, or somebody else has had it.',
    operand: { name: 'file', value: 'FILE' },
    options: {
      keys: { value: 'PEM-FILE' },
      certificates: { value: 'PEM-FILE' },
      text: { value: 'CONTRACT.TXT' },
      openings: { value: 'OPENINGS.TXT' },
    },
    async runAlone(_config, { file = '', keys, certificates, text, openings }) {
      const material: Beside = {
        knownKeysPem: (await readIfNamed(keys))?.toString('utf8'),
        knownSealsPem: (await readIfNamed(certificates))?.toString('utf8'),
        content: await readIfNamed(text),
        disclosures: (await readIfNamed(openings))?.toString('utf8'),
      }
      const report = await checkEvidence(await read(file), material).catch(() => {
        throw new UserError(`${file} cannot be read as a signed PDF or as evidence.`)
      })
      const isWell = report.checks.every(({ holds }) => holds)
      const isOpen = report.open.length > 0
      const table = formatTable([
        ...report.checks.map(({ name, holds, says }) => [holds ? 'holds' : 'BROKEN', name, says]),
        ...report.open.map(({ says }) => ['not compared', '', says]),
      ])
      const { contractNumber, keyId, sealFingerprint } = report
      const summary = [
        contractNumber !== undefined && `Contract ${contractNumber}.`,
        keyId !== undefined && `Evidence signed by key ${keyId}.`,
        sealFingerprint !== undefined && `PDF sealed by certificate ${sealFingerprint}.`,
        (keys === undefined || (sealFingerprint !== undefined && certificates === undefined)) &&
          '--keys and --certificates compare with the published keys and certificates: see docs/explanation/evidence.md.',
      ].filter((line) => line !== false)
      return { answer: { ...report, isWell, isOpen }, text: [table, '', ...summary].join('\n'), isWell, isOpen }
    },
  },
  {
    name: 'evidence export',
    purpose: 'Prints the signed evidence of a contract (evidence.jws), also after the contract was erased.',
    operand: ID,
    options: {},
    run: async ({ signing, gateway }, { id = '' }) => {
      await gateway.audit.recordRead.mutate({ subject: id })
      const { jws } = await signing.evidence.export.query({ contractId: id })
      if (jws === null)
        throw new UserError(
          `Contract ${id} has no sealed evidence. The service seals it a few seconds after the last signature.`,
        )
      return { answer: { jws }, text: jws }
    },
  },
]

/** Far above the size of any sealed PDF. */
const BYTES_MAX = 64 * 1024 * 1024

const readIfNamed = async (path: string | undefined): Promise<Buffer | undefined> =>
  path === undefined ? undefined : read(path)

async function read(path: string): Promise<Buffer> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > BYTES_MAX) throw new UserError(`${path} is larger than any file that Paraph creates.`)
  try {
    return await readFile(path)
  } catch {
    throw new UserError(`The file ${path} does not exist or cannot be read.`)
  }
}
