import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { P12_PASSWORD, samplePdfInput, sampleSettings, SAMPLE_KEYS, SEAL_P12 } from '../../test/evidence-fixture.js'
import { sealCertificateReading } from '../metrics.js'
import { keysIn, noteText, thumbprintOf } from './key-list.js'
import { checkEvidenceKeys, expiringSeals, type KeySettings, type OpenedKeys } from './keys.js'
import { readSeal } from './pdf/pdf-seal.js'
import { renderPdf } from './pdf/render-pdf.js'
import { sealPdf } from './pdf/seal-pdf.js'

async function opened(changes: Partial<KeySettings> = {}): Promise<OpenedKeys> {
  const found = await checkEvidenceKeys({ ...sampleSettings(), ...changes })
  if ('faults' in found) throw new Error(found.faults.join())
  return found
}
async function faultsOf(changes: Partial<KeySettings>): Promise<string[]> {
  const found = await checkEvidenceKeys({ ...sampleSettings(), ...changes })
  return 'faults' in found ? found.faults : []
}
const newKey = () => generateKeyPairSync('ed25519')
const pemOf = (key: ReturnType<typeof createPublicKey>) => key.export({ type: 'spki', format: 'pem' }).toString()

describe('the evidence keys [D30]', () => {
  it('report each seal certificate that expires within 30 days', async () => {
    const { keys } = await opened()
    const { validTo } = new X509Certificate(SAMPLE_KEYS.seal.certificates[0]!)
    const before = (days: number): Date => new Date(new Date(validTo).getTime() - days * 86_400_000)
    expect(expiringSeals({ keys }, before(31), 30)).toEqual([])
    expect(expiringSeals({ keys }, before(29), 30)[0]).toMatchObject({ environment: 'production' })
  })

  it('report the seconds until each seal certificate expires, also after its end [docs/reference/metrics.md]', async () => {
    const { keys } = await opened()
    const { validTo } = new X509Certificate(SAMPLE_KEYS.seal.certificates[0]!)
    const readAt = (seconds: number) =>
      sealCertificateReading(keys, new Date(Date.parse(validTo) + seconds * 1_000)).map(({ value, attributes }) => [
        attributes['paraph.environment'],
        value,
      ])
    expect(readAt(-86_400)[0]).toEqual(['production', 86_400])
    expect(readAt(60)[0]).toEqual(['production', -60])
    expect(readAt(0).map(([environment]) => environment)).toEqual(['production', 'sandbox'])
  })

  it('seal with a PKCS#12 file as with PEM', async () => {
    const asP12 = { SEAL_KEY: undefined, SEAL_CERTIFICATE: undefined, SEAL_P12, SEAL_P12_PASSWORD: P12_PASSWORD }
    const seals = [await opened(), await opened(asP12)].map(({ keys }) => keys.production.seal)
    const input = await samplePdfInput({ content: 'SHORT' })
    const rendered = await renderPdf(input)
    const certificates = []
    for (const seal of seals) {
      const sealed = await sealPdf(rendered, seal, { sealedAt: input.sealedAt, reason: 'x' })
      const found = readSeal(Buffer.from(sealed))
      certificates.push('certificate' in found ? found.certificate.fingerprint256 : found.fault)
    }
    expect(seals.map(({ kind }) => kind)).toEqual(['pem', 'p12'])
    expect(new Set(certificates).size).toBe(1)
  })

  it('of the sandbox must differ from those of production [D15]', async () => {
    const { EVIDENCE_KEY } = sampleSettings()
    expect(await faultsOf({ SANDBOX_EVIDENCE_KEY: EVIDENCE_KEY })).toEqual([
      '  SANDBOX_EVIDENCE_KEY: must not be the key of production',
    ])
    expect(await faultsOf({ SANDBOX_SEAL_P12: SEAL_P12 })).toEqual([
      '  SANDBOX_SEAL_KEY or SANDBOX_SEAL_P12: must not be the key of production',
    ])
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  it.each<[string, Partial<KeySettings>, string]>([
    ['of another type', { EVIDENCE_KEY: rsa.toString() }, 'EVIDENCE_KEY: is not an Ed25519 key'],
    ['not a key', { EVIDENCE_KEY: 'canary-4711' }, 'EVIDENCE_KEY: cannot be read'],
    ['not the key of its certificate', { SEAL_KEY: rsa.toString() }, 'the first certificate is not that of the key'],
    ['without its certificate', { SEAL_CERTIFICATE: undefined }, 'or a key and its certificate, is needed'],
    ['given twice', { SEAL_P12: sampleSettings().SANDBOX_SEAL_P12 }, 'either a PKCS#12 file, or a key'],
    ['missing', { SEAL_KEY: undefined, SEAL_CERTIFICATE: undefined }, 'is needed'],
    ['for another password', { SANDBOX_SEAL_P12_PASSWORD: 'canary-4711' }, 'SANDBOX_SEAL_P12: cannot be read'],
    ['not a PKCS#12 file', { SANDBOX_SEAL_P12: 'Y2FuYXJ5' }, 'SANDBOX_SEAL_P12: cannot be read'],
  ])('are refused if one is %s; the error names the setting but not its value', async (_what, changes, says) => {
    const faults = await faultsOf(changes)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(says)
    expect(faults[0]).not.toMatch(/canary|BEGIN/)
  })
})

describe('the published evidence keys [D30, RFC 7517, RFC 7638]', () => {
  it('are the current public keys with the thumbprint that evidence names, and nothing private', async () => {
    const { keys, published } = await opened()
    const ids = [keys.production.evidence.keyId, keys.sandbox.evidence.keyId]
    expect(published.jwks.keys).toMatchObject(ids.map((kid) => ({ kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' })))
    for (const jwk of published.jwks.keys) expect(jwk).not.toHaveProperty('d')
    for (const id of ids) expect(thumbprintOf(createPublicKey(published.pemOf.get(id)!))).toBe(id)
    expect(published.evidencePem).not.toContain('PRIVATE')
    expect(published.evidencePem).toContain(`# ${ids[0]} production\n`)
    expect(published.evidencePem).toContain(`# ${ids[1]} sandbox\n`)
  })

  /** A published list as the operator keeps it: each current key with the last day on which it signed. */
  const retired = (list: string): string => list.replace(/ (production|sandbox)$/gm, ' retired-$1:2026-11-24')

  it('include the retired keys with environment and last day, which verify older evidence [P38]', async () => {
    const before = await opened()
    const { keys, published } = await opened({
      EVIDENCE_KEY: newKey().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      EVIDENCE_RETIRED_KEYS: retired(before.published.evidencePem),
      SEAL_RETIRED_CERTIFICATES: retired(before.published.sealPem),
    })
    const old = SAMPLE_KEYS.evidence.keyId
    expect(keys.production.evidence.keyId).not.toBe(old)
    expect(published.evidencePem).toContain(`# ${old} retired-production:2026-11-24\n${SAMPLE_KEYS.evidence.publicPem}`)
    expect(published.jwks.keys).toContainEqual(
      expect.objectContaining({ kid: old, environment: 'production', lastDay: '2026-11-24' }),
    )
    expect(published.pemOf.get(old)).toBe(SAMPLE_KEYS.evidence.publicPem)
    // The current keys were also listed as retired: each appears once, as current.
    expect(published.sealPem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    expect(published.sealPem).not.toContain(' retired')
    const [pem = ''] = published.sealPem.match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/) ?? []
    expect(published.sealPem).toContain(`# ${new X509Certificate(pem).fingerprint256} production\n`)
  })

  it.each([
    ['is broken', pemOf(newKey().publicKey).replace(/^[A-Za-z0-9+/=]{20,}$/m, 'canary-4711')],
    ['is not a key', 'canary-4711'],
    ['is private', newKey().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('are refused when a retired key %s', async (_what, text) => {
    const faults = await faultsOf({ EVIDENCE_RETIRED_KEYS: text })
    expect(faults).toEqual([expect.stringContaining('EVIDENCE_RETIRED_KEYS')])
    expect(faults[0]).not.toContain('canary')
  })

  const { publicKey } = newKey()
  const kid = thumbprintOf(publicKey)
  it.each([
    ['no line', ''],
    ['no environment and last day', `# ${kid} retired\n`],
    ['no last day', `# ${kid} production\n`],
    ['a last day that no calendar has', `# ${kid} retired-production:2026-02-30\n`],
    ['the line of another key', `# ${SAMPLE_KEYS.evidence.keyId} retired-production:2026-03-31\n`],
  ])('are refused when a retired key has %s; the error says which line to write [P38]', async (_what, line) => {
    expect(await faultsOf({ EVIDENCE_RETIRED_KEYS: `${line}${pemOf(publicKey)}` })).toEqual([
      expect.stringContaining(`EVIDENCE_RETIRED_KEYS: needs the line "# ${kid} retired-production:YYYY-MM-DD"`),
    ])
  })

  it('are refused when a retired key is listed twice, since only one line could hold [P38]', async () => {
    const line = (note: string) => `# ${kid} retired-production:2026-03-31${note}\n${pemOf(publicKey)}`
    expect(await faultsOf({ EVIDENCE_RETIRED_KEYS: `${line('')}${line(' compromised-since:2026-03-15')}` })).toEqual([
      `  EVIDENCE_RETIRED_KEYS: lists ${kid} twice`,
    ])
  })

  it('are what the check of evidence reads [P38]', async () => {
    const note = 'retired-sandbox:2026-03-31 compromised-since:2026-03-15'
    const EVIDENCE_RETIRED_KEYS = `# ${kid} ${note}\n${pemOf(publicKey)}`
    const { published } = await opened({ EVIDENCE_RETIRED_KEYS })
    expect(published.evidencePem).toContain(EVIDENCE_RETIRED_KEYS)
    const listed = keysIn(published.evidencePem).map((each) => each.note && noteText(each.note))
    expect(listed).toEqual(['production', 'sandbox', note])
  })
})
