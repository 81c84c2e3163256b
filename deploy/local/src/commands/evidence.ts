// `paraph evidence …`: check a sealed PDF or its evidence offline; hand out the signed chain of a contract. [D30, D43]
import { readFile } from 'node:fs/promises'
import { checkEvidence } from '@paraph/signing/evidence-check'
import type { Command } from '../command-line.js'
import { Refusal } from '../refusal.js'

export const evidenceCommands: readonly Command[] = [
  {
    name: 'evidence verify',
    purpose: 'Checks a sealed PDF or evidence.jws, from the files alone. Exit 1 when something does not hold.',
    operand: { name: 'file', value: 'FILE' },
    options: {
      keys: { value: 'PEM-FILE', required: false },
      certificates: { value: 'PEM-FILE', required: false },
      text: { value: 'CONTRACT.TXT', required: false },
      openings: { value: 'OPENINGS.TXT', required: false },
    },
    async runAlone(_config, { file = '', keys, certificates, text, openings }) {
      const report = await checkEvidence(await read(file), {
        knownKeysPem: keys === undefined ? undefined : (await read(keys)).toString('utf8'),
        knownSealsPem: certificates === undefined ? undefined : (await read(certificates)).toString('utf8'),
        content: text === undefined ? undefined : await read(text),
        openings: openings === undefined ? undefined : (await read(openings)).toString('utf8'),
      })
      const isWell = report.checks.every(({ holds }) => holds)
      const lines = report.checks.map(
        ({ name, holds, says }) => `${holds ? 'holds ' : 'BROKEN'}  ${name.padEnd(11)} ${says}`,
      )
      const facts = [
        ...(report.contractNumber === undefined ? [] : [`Contract ${report.contractNumber}.`]),
        ...(report.keyId === undefined ? [] : [`Evidence signed by key ${report.keyId}.`]),
        ...(report.sealFingerprint === undefined ? [] : [`PDF sealed by certificate ${report.sealFingerprint}.`]),
      ]
      return { answer: { ...report, isWell }, text: [...lines, '', ...facts].join('\n'), isWell }
    },
  },
  {
    name: 'evidence export',
    purpose: 'The signed evidence of a contract, also after its erasure, as the file evidence.jws.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ signing }, { id = '' }) => {
      const { jws } = await signing.evidence.export.query({ contractId: id })
      if (jws === null)
        throw new Refusal(`Contract ${id} has no sealed evidence. Only one that everyone has signed has.`)
      return { answer: { jws }, text: jws }
    },
  },
]

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    throw new Refusal(`There is no file ${path} that can be read.`)
  }
}
