import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { checkEvidence, type EvidenceReport } from './check.js'
import { sampleChain, samplePdfInput, sampleSettings, SAMPLE_KEYS } from '../../test/evidence-fixture.js'
import { signEvidence } from '../sealing/jws.js'
import { checkEvidenceKeys, type KeySettings } from '../sealing/keys.js'
import { NDA } from '../../test/catalogue-data-fixture.js'
import { readSeal } from '../sealing/pdf/pdf-seal.js'
import { renderPdf } from '../sealing/pdf/render-pdf.js'
import { sealPdf } from '../sealing/pdf/seal-pdf.js'

let pdf: Buffer
/** Offsets of the seal's hex, of its zero padding, and of its end. */
let seal: { from: number; padding: number; to: number }
beforeAll(async () => {
  const input = await samplePdfInput()
  pdf = Buffer.from(
    await sealPdf(await renderPdf(input), SAMPLE_KEYS.seal, {
      sealedAt: input.sealedAt,
      reason: 'EXT-20261120-7KQ4MXTA',
    }),
  )
  const [, from, to] = /\/ByteRange\s*\[\s*0\s+(\d+)\s+(\d+)/.exec(pdf.toString('latin1'))!.map(Number)
  const hex = pdf.subarray(from! + 1, to! - 1).toString('latin1')
  seal = { from: from! + 1, padding: from! + 1 + hex.replace(/(?:00)+$/, '').length, to: to! - 1 }
})

const verdicts = ({ checks }: EvidenceReport) => Object.fromEntries(checks.map(({ name, holds }) => [name, holds]))
const EVIDENCE_HOLDS = { signature: true, chain: true, signatures: true, text: true, names: true, environment: true }
const { names: _names, ...withoutNames } = EVIDENCE_HOLDS
const ALL_HOLD = { seal: true, attachments: true, ...EVIDENCE_HOLDS }
const flipped = (at: number, bit: number): Buffer => {
  const copy = Buffer.from(pdf)
  copy[at]! ^= bit
  return copy
}

describe('a sealed PDF [D30, docs/explanation/evidence.md]', () => {
  it('passes every check from the file alone', async () => {
    const report = await checkEvidence(pdf)
    expect(verdicts(report)).toEqual(ALL_HOLD)
    // A file that is forged with other keys would also pass, so the report lists two open questions.
    expect(report.open).toHaveLength(2)
    expect(report.environment).toBe('production')
    expect(report.contractNumber).toBe('EXT-20261120-7KQ4MXTA')
    expect(report.keyId).toBe(SAMPLE_KEYS.evidence.keyId)
    expect(report.sealFingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  })

  it('is reported as signed with a known or an unknown key', async () => {
    expect(verdicts(await checkEvidence(pdf, { knownKeysPem: SAMPLE_KEYS.evidence.publicPem }))['key']).toBe(true)
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(verdicts(await checkEvidence(pdf, { knownKeysPem: other }))['key']).toBe(false)
    expect(verdicts(await checkEvidence(pdf, { knownKeysPem: 'no key at all' }))['key']).toBe(false)
  })

  it('is reported with the environments of key and certificate from the published lists', async () => {
    const listed = async (settings: KeySettings) => {
      const opened = await checkEvidenceKeys(settings)
      if ('faults' in opened) throw new Error(opened.faults.join())
      const { evidencePem, sealPem } = opened.published
      const { checks } = await checkEvidence(pdf, { knownKeysPem: evidencePem, knownSealsPem: sealPem })
      return Object.fromEntries(checks.map(({ name, says }) => [name, says]))
    }
    const settings = sampleSettings()
    const ours = await listed(settings)
    expect(ours['key']).toMatch(/in the list that you gave \(production\)\.$/)
    expect(ours['certificate']).toMatch(/that you gave \(production\)\.$/)
    const { SANDBOX_SEAL_P12: SEAL_P12, SANDBOX_SEAL_P12_PASSWORD: SEAL_P12_PASSWORD } = settings
    const another = { SEAL_P12, SEAL_P12_PASSWORD, SEAL_KEY: undefined, SEAL_CERTIFICATE: undefined }
    const { SEAL_KEY: SANDBOX_SEAL_KEY, SEAL_CERTIFICATE: SANDBOX_SEAL_CERTIFICATE } = settings
    const swapped = { SANDBOX_SEAL_KEY, SANDBOX_SEAL_CERTIFICATE, SANDBOX_SEAL_P12: undefined }
    const sandbox = await listed({ ...settings, ...another, ...swapped })
    expect(sandbox['certificate']).toMatch(/ \(sandbox\)\.$/)
    expect(sandbox['environment']).toMatch(/^The contract is of one environment, and its key/)
    const { checks } = await checkEvidence(pdf, { knownSealsPem: 'none' })
    expect(checks.find(({ name }) => name === 'certificate')?.holds).toBe(false)
  })

  it('fails with a changed byte at each of 2,000 sealed places', () => {
    const random = createSeededRandom(20261122)
    const length = pdf.length - (seal.to - seal.from)
    for (let round = 0; round < 2_000; round += 1) {
      const place = Math.floor(random() * length)
      const at = place < seal.from ? place : place + seal.to - seal.from
      expectWithMessage(readSeal(flipped(at, 1 << Math.floor(random() * 8))), `byte ${at}`).toHaveProperty('fault')
    }
  }, 60_000)

  it('fails with a changed byte at every place of the seal, even with a changed letter case', () => {
    for (let at = seal.from; at < seal.padding; at += 1)
      expectWithMessage(readSeal(flipped(at, [1, 32, 2, 4][at % 4]!)), `byte ${at}`).toHaveProperty('fault')
  }, 60_000)

  it('fails with anything but zeros after the seal, although no signature covers that place', () => {
    expect(seal.to).toBeGreaterThan(seal.padding)
    expect(readSeal(flipped(seal.to - 1, 1))).toEqual({ fault: 'something stands behind the seal' })
  })

  it('fails with appended or missing bytes, as does any other file', async () => {
    const faultOf = async (file: Buffer) => verdicts(await checkEvidence(file))['seal']
    expect(await faultOf(Buffer.concat([pdf, Buffer.from('\n')]))).toBe(false)
    expect(await faultOf(pdf.subarray(0, -1))).toBe(false)
    expect(await faultOf(Buffer.from('%PDF-1.7\n'))).toBe(false)
    const far = `%PDF-1.7\n/ByteRange [0 ${'9'.repeat(400)} 1 1]`
    expect(await faultOf(Buffer.from(far))).toBe(false)
    expect(verdicts(await checkEvidence(Buffer.alloc(100, 0xff)))).toEqual({ signature: false })
    expect(verdicts(await checkEvidence(Buffer.alloc(0)))).toEqual({ signature: false })
  })

  it('fails with a second seal or another attachment', async () => {
    const input = await samplePdfInput()
    const again = Buffer.from(await sealPdf(pdf, SAMPLE_KEYS.seal, { sealedAt: input.sealedAt, reason: 'again' }))
    expect(readSeal(again)).toEqual({ fault: 'the file has more than one seal' })
    const attachments = [...input.attachments, { ...input.attachments[0]!, name: 'contract.txt ' }]
    const more = await renderPdf({ ...input, attachments })
    expect(verdicts(await checkEvidence(more))).toMatchObject({ attachments: false })
    const fewer = await renderPdf({ ...input, attachments: input.attachments.slice(0, 3) })
    expect(verdicts(await checkEvidence(fewer))).toMatchObject({ attachments: false, names: false })
  })

  it('is compared with a given text and given disclosures, and with its own attachments', async () => {
    const given = await checkEvidence(pdf, { content: Buffer.from('Another.'), disclosures: '1 parties.0.role x' })
    expect(verdicts(given)).toEqual({ ...ALL_HOLD, 'given text': false, openings: false })
  })

  it('is checked even with a megabyte of key headers without footers', async () => {
    const input = await samplePdfInput()
    const hostile = Buffer.from('-----BEGIN PUBLIC KEY-----\n'.repeat(40_000))
    const attachments = input.attachments.map((each) =>
      each.name === 'paraph.pem' ? { ...each, bytes: hostile } : each,
    )
    expect(verdicts(await checkEvidence(await renderPdf({ ...input, attachments })))).toMatchObject({
      signature: false,
    })
  })

  it('fails without a seal, while its evidence passes', async () => {
    const input = await samplePdfInput()
    expect(verdicts(await checkEvidence(await renderPdf(input)))).toEqual({ ...ALL_HOLD, seal: false })
  })
})

describe('evidence.jws alone [D30]', () => {
  const { lines } = sampleChain()
  const sign = (of: readonly string[]) => signEvidence(of, SAMPLE_KEYS.evidence).then(Buffer.from)
  const beside = { knownKeysPem: SAMPLE_KEYS.evidence.publicPem }

  it('passes with the key and the text', async () => {
    const report = await checkEvidence(await sign(lines), { ...beside, content: Buffer.from(NDA) })
    expect(verdicts(report)).toEqual({ ...withoutNames, key: true })
  })

  it('distinguishes another text from a broken signature', async () => {
    const jws = await sign(lines)
    const other = await checkEvidence(jws, { ...beside, content: Buffer.from(NDA.replace('2 years', '9 years')) })
    expect(verdicts(other)).toMatchObject({ signature: true, text: false })
    const broken = Buffer.from(jws.toString().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
    expect(verdicts(await checkEvidence(broken, beside))).toEqual({ signature: false })
  })

  it('distinguishes a broken chain under a valid signature from a broken signature', async () => {
    expect(verdicts(await checkEvidence(await sign(lines.toSpliced(4, 1)), beside))).toEqual({
      signature: true,
      key: true,
      chain: false,
    })
  })

  it('fails when a party has not signed', async () => {
    const report = await checkEvidence(await sign(lines.slice(0, 6)), beside)
    expect(report.checks.at(-1)).toEqual({ name: 'signatures', holds: false, says: 'Party 2 of 3 has 0 signatures.' })
  })

  it.each([
    [
      'of the sandbox that was retired, dated 2035',
      'retired-sandbox:2026-11-24',
      2035,
      { environment: false, day: false },
    ],
    ['of the sandbox that was retired', 'retired-sandbox:2026-11-24', 2026, { environment: false, day: true }],
    [
      'that was retired before the last entry',
      'retired-production:2026-11-19',
      2026,
      { environment: true, day: false },
    ],
    ['that was retired on that day', 'retired-production:2026-11-22', 2026, { environment: true, day: true }],
    [
      'that somebody else had on that day',
      'retired-production:2026-11-24 compromised-since:2026-11-22',
      2026,
      { environment: true, day: false },
    ],
    ['of today', 'production', 2035, { environment: true, day: true }],
  ])(
    'of production under a key %s: environment and day hold only where they fit [P38]',
    async (_what, note, year, held) => {
      const { lines: dated } = sampleChain({ firstAt: Date.UTC(year, 10, 20, 14) })
      const list = `# ${SAMPLE_KEYS.evidence.keyId} ${note}\n${SAMPLE_KEYS.evidence.publicPem}`
      const report = await checkEvidence(await sign(dated), { knownKeysPem: list })
      expect(verdicts(report)).toMatchObject({ signature: true, key: true, chain: true, ...held })
    },
  )

  it('stays open under a key that somebody else had later, and under a list that does not say what the key signs [P38]', async () => {
    const openWith = async (note: string) => {
      const list = `# ${SAMPLE_KEYS.evidence.keyId} ${note}\n${SAMPLE_KEYS.evidence.publicPem}`
      const { checks, open } = await checkEvidence(await sign(lines), { knownKeysPem: list })
      return { broken: checks.filter(({ holds }) => !holds), open }
    }
    expect(await openWith('retired-production:2027-03-31 compromised-since:2027-03-15')).toEqual({
      broken: [],
      open: [{ name: 'compromised', says: expect.stringMatching(/^Somebody else has had the key/) }],
    })
    expect(await openWith('retired')).toEqual({
      broken: [],
      open: [{ name: 'list', says: expect.stringMatching(/^The list does not say which environment/) }],
    })
  })

  it('is refused by every line of a key that a list has twice [P38]', async () => {
    const { keyId, publicPem } = SAMPLE_KEYS.evidence
    const list = ['production', 'retired-production:2026-11-19'].map((note) => `# ${keyId} ${note}\n${publicPem}`)
    expect(verdicts(await checkEvidence(await sign(lines), { knownKeysPem: list.join('') }))['day']).toBe(false)
  })

  it('cannot be verified without a key', async () => {
    expect(verdicts(await checkEvidence(await sign(lines)))).toEqual({ signature: false })
  })
})
