// `paraph evidence …`: check a sealed PDF or its evidence offline; export the signed chain of a contract. [D30, D43]
import { readFile, stat } from 'node:fs/promises'
import { checkEvidence, type Beside } from '@paraph/signing/verify/check'
import { needed, type Command } from '../command-line.js'
import { UserError } from '@paraph/config/refusal'

export const evidenceCommands: readonly Command[] = [
  {
    name: 'evidence verify',
    purpose:
      'Checks a sealed PDF or evidence.jws offline. Exit code 1: a check failed. Exit code 3: no check failed, but the key or certificate was not compared with those that the service publishes, or somebody else has had it.',
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
        throw new UserError(`${file} cannot be read as a sealed PDF or as evidence.`)
      })
      const isWell = report.checks.every(({ holds }) => holds)
      const isOpen = report.open.length > 0
      const lines = [
        ...report.checks.map(({ name, holds, says }) => `${holds ? 'holds ' : 'BROKEN'}  ${name.padEnd(12)} ${says}`),
        ...report.open.map((says) => `OPEN    ${''.padEnd(12)} ${says}`),
      ]
      const { contractNumber, keyId, sealFingerprint } = report
      const summary = [
        contractNumber !== undefined && `Contract ${contractNumber}.`,
        keyId !== undefined && `Evidence signed by key ${keyId}.`,
        sealFingerprint !== undefined && `PDF sealed by certificate ${sealFingerprint}.`,
        (keys === undefined || (sealFingerprint !== undefined && certificates === undefined)) &&
          'Give the published keys and certificates with --keys and --certificates: see docs/explanation/evidence.md.',
      ].filter((line) => line !== false)
      return { answer: { ...report, isWell, isOpen }, text: [...lines, '', ...summary].join('\n'), isWell, isOpen }
    },
  },
  {
    name: 'evidence export',
    purpose: 'Exports the signed evidence of a contract as evidence.jws, also after the erasure of the contract.',
    options: { id: needed('ID') },
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
