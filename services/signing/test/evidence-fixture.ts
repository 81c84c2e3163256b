// A closed chain with the three parties of the shared sample, and its PDF input: the same bytes each time. For tests and benchmarks.
// The keys below were made for tests and protect nothing.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mailboxOf } from '@paraph/protocol/text-rules'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import {
  readEvidenceKey,
  readPemSealKey,
  type EvidenceKey,
  type EvidenceKeys,
  type KeySettings,
} from '../src/sealing/keys.js'
import { GENESIS, Personal, sha256Hex, type EntryData, type EntryType } from '../src/chain/entry.js'
import { writeLine } from './chain-line-fixture.js'
import { signEvidence } from '../src/sealing/jws.js'
import type { ChainDisclosure } from '../src/chain/disclosures.js'
import { NDA } from './catalogue-data-fixture.js'
import { CONSENT } from '../src/signature/consent-text.js'
import type { Environment } from '@paraph/protocol/environment'
import type { Locale } from '@paraph/web/locale'
import { toPdfInput } from '../src/sealing/pdf/pdf-input.js'
import type { PdfInput } from '../src/sealing/pdf/render-pdf.js'

export interface SampleParty {
  role: string
  legalName: string
  email: string
  typedName: string
}

const [nordic, jane, harbour] = shared.PARTIES
/** One address differs from its mailbox, and one typed name from the legal name. */
export const SAMPLE_PARTIES: readonly SampleParty[] = [
  { ...nordic, typedName: nordic.legalName },
  { ...jane, email: 'Jane.Roe@example.com', typedName: jane.legalName },
  { ...harbour, typedName: 'Harbour Analytics Inc' },
]

const STEP_MS = 11_160_713

interface SampleOptions {
  content?: string
  parties?: readonly SampleParty[]
  language?: Locale
  environment?: Environment
  /** Milliseconds of the first entry; the others follow in equal steps. Without it, the entries have the times of the shared sample. */
  firstAt?: number | undefined
}

/** Lines and disclosures of a contract that all parties signed: 2 entries, and 5 for each party. */
export function sampleChain({
  content = NDA,
  parties = SAMPLE_PARTIES,
  language = 'en',
  environment = 'production',
  firstAt,
}: SampleOptions = {}): { lines: string[]; disclosures: ChainDisclosure[] } {
  const lines: string[] = []
  const disclosures: ChainDisclosure[] = []
  let prev = GENESIS
  let salts = 0
  const newSalt = (): string => sha256Hex(`salt ${(salts += 1)}`).slice(0, 32)
  const times = environment === 'sandbox' ? shared.SANDBOX_TIMES : shared.EVIDENCE_TIMES
  const isShared = firstAt === undefined && parties.length === SAMPLE_PARTIES.length
  const start = firstAt ?? shared.CREATED_AT.getTime()
  const at = (): Date => (isShared ? times[lines.length]! : new Date(start + lines.length * STEP_MS))
  const contentSha256 = createHash('sha256').update(content, 'utf8').digest('hex')
  const add = (type: EntryType, data: EntryData): void => {
    const seq = lines.length + 1
    const written = writeLine({ seq, type, at: at(), data }, prev, newSalt)
    lines.push(written.line)
    disclosures.push(...written.disclosures.map((disclosure) => ({ seq, ...disclosure })))
    prev = written.hash
  }
  add('contract.created', {
    contractId: shared.CONTRACT_ID,
    contractNumber: shared.CONTRACT_NUMBER,
    contractType: 'nda',
    environment,
    contentSha256,
    createdAt: at().toISOString(),
    expiresAt: new Date(start + (environment === 'sandbox' ? 3_600_000 : 14 * 86_400_000)).toISOString(),
    parties: parties.map(({ role, legalName, email }) => ({
      role: new Personal(role),
      legalName: new Personal(legalName),
      email: new Personal(email),
    })),
  })
  parties.forEach(({ email, typedName }, partyIndex) => {
    const mailbox = new Personal(mailboxOf(email))
    const visitor = {
      ip: new Personal(`198.51.100.${partyIndex + 1}`),
      userAgent: new Personal('Mozilla/5.0 (sample)'),
    }
    const own = { partyIndex, sessionId: `session-${partyIndex}` }
    const { sessionId } = own
    add('code.verified', { codeId: new Personal(`code-${partyIndex}`), sessionId, mailbox, ...visitor })
    add('text.shown', { ...own, contentSha256, language })
    const consentSha256 = sha256Hex(CONSENT.text[language])
    add('consent.given', { ...own, consentId: CONSENT.id, consentSha256, language })
    const attempt = { partyIndex, attemptId: `attempt-${partyIndex}` }
    add('signature.submitted', { ...own, ...attempt, contentSha256, typedName: new Personal(typedName), ...visitor })
    add('signature.accepted', { ...attempt, signedAt: at().toISOString() })
  })
  add('contract.completed', { total: parties.length, completedAt: at().toISOString() })
  return { lines, disclosures }
}

const EVIDENCE_PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIHIkpaHpx48bMfbFC/NRzeJariB8z4biVzdkBan/M3P5
-----END PRIVATE KEY-----`
const SEAL_PEM = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfBNenWpKmUrHZdEG
7RdM0FDWz/TAzrjFOcexDn6i4L6hRANCAAROBHofuwOVExZ/hTvo81HJ8TPIlJSR
DemvEXTBNdlImytV47QigMA+JD6U0p1d4V1qmtZQb28ybiDa/Y5LeOyn
-----END PRIVATE KEY-----`
const SEAL_CERTIFICATE_PEM = `-----BEGIN CERTIFICATE-----
MIIBvTCCAWSgAwIBAgIUK/PjwzM42FVFxK8WoOA1lwSsCMQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQUGFyYXBoIHRlc3Qgc2VhbDAgFw0yNjExMjIxODIzMjRaGA8y
MTI2MTAyOTE4MjMyNFowGzEZMBcGA1UEAwwQUGFyYXBoIHRlc3Qgc2VhbDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABE4Eeh+7A5UTFn+FO+jzUcnxM8iUlJEN6a8R
dME12UibK1XjtCKAwD4kPpTSnV3hXWqa1lBvbzJuINr9jkt47KejgYMwgYAwHQYD
VR0OBBYEFHg/uWXxHeWGFXaKm8VQSOyca1EkMB8GA1UdIwQYMBaAFHg/uWXxHeWG
FXaKm8VQSOyca1EkMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgbAMB0G
A1UdJQQWMBQGCCsGAQUFBwMEBggrBgEFBQcDJDAKBggqhkjOPQQDAgNHADBEAiAS
OFme+avsTTwJtne59TPHL4rLJxgkDEaipj3mnJJsoAIgOgsT1FrGK/o03PHUzqqD
r+S9d+99ixm/HGqQVLLohVI=
-----END CERTIFICATE-----`
/** The key and certificate above as PKCS#12, in base64. */
export const SEAL_P12 =
  'MIIEhQIBAzCCBDsGCSqGSIb3DQEHAaCCBCwEggQoMIIEJDCCAsIGCSqGSIb3DQEHBqCCArMwggKvAgEAMIICqAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiHKxqaqEejzQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEAIv+RfQohs6atMww05vCfKAggJAUCuFqgmPIRXCpIU1dNKwSLDKVnSa83v21UltvvB32Wva+EAwqWnieYkwOTS2DFJm9GCZx0YCUBt/0p1k+20ImjuHjzo7LM2bKyWhYuVMSTqXKS9S6UQLGJpDq7qE/duTLu2QlM8TAYxLCdXzDG4XQ8nSn6Bho4OnOFc68trsF+GzCVBRf9fetzuJMgx4TCrm6uA3XdJ3gf4gMX9qGfE0QAlSviVKzIXEdht03nHVQ/2wHOptUkfGxZPMM5pjZrsCp6jTcE0uCBZ+RKqUCHjXnHHcQWnt6Ekw1Lrggqecf2DxjI9wyWPl7XUSl83WAUeXFqHQNA1m1IoVKugDfIpOLdLWS1cFxyDS4bNg+eoM2B6NKq4evgLjkqd5Xl5jK67hcsDJ1oA1uW+8WKXiBW9P7ZwtvQZOOHgpQTCaSP7OwqEalyos7Khxmt31cYDtLv7bW3rjhmH8O9zCyh3pauQrhI9I2A9kGJuYV68ibqXX9Y4fw7nw7zld084hMmuZ6TZmn5cAVdNMZ+vx52dH6KjhLGcJVcRH0my211vHb4bycuhW9SA64e4IhpJHhJdZz8AoWCL8STMx1EovQeEsoqfqV7QnQ0uijZdYF7d6Jf0WYV7SCwyp6rI1roSQk4UPrpg61ymc0lUBSPFv4xbe+Rni5jVNrsmhF/T7QC90ULLP4I5Qg1PFNXNFE60ETl3un2vsyh6gslupPtCRPEWiMbf6IONle6rzuHHsQIq3sXMCxAXZNVSEbq6B/AUVN5CPc8twMIIBWgYJKoZIhvcNAQcBoIIBSwSCAUcwggFDMIIBPwYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECMcwuTv07GXkAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ1JezYEKA3+9nLiQKI4W6sQSBkOSzp51jJC5V7kkuMGcHgOpl7I33WVcznGcqx53ya4v3dSzpXBoSJpjXyp0znb6RPx3k4DpF3tjLcJhVyNJaUh86/ROda9K4vKNtUAYFLcqnEFncG6qZRZ1D2aX5rMNOzXbwFGrJriUUDSntHQp9PRSfoSFfL63aMwaJI0n3CixmzC9BfjvI7eXvZj7PlfaGgTE+MBcGCSqGSIb3DQEJFDEKHggAcwBlAGEAbDAjBgkqhkiG9w0BCRUxFgQUeWQlq47+anM6yV8Kx+Ima9k01/owQTAxMA0GCWCGSAFlAwQCAQUABCB+gkdqV5kqE+8CGxOg1HMWDAKQsxx1l7XYPfRm1/0mowQIx2+ZrnqYp64CAggA'

/** Another key and certificate as PKCS#12, in base64. */
const SANDBOX_SEAL_P12 =
  'MIIElQIBAzCCBEsGCSqGSIb3DQEHAaCCBDwEggQ4MIIENDCCAtIGCSqGSIb3DQEHBqCCAsMwggK/AgEAMIICuAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgq0fHf6h9rOwICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOedMVY7RJJy+PdTgw7cdnCAggJQjGg+xSNSYCfJ3qhTyIbVBNqn2EuVn1C2+PjOVuScmKsmHJOpKJXduQMvIVjwSS5QxSku36a3XOcntwLhXlTY8XOBPatWiKdYXnuvFeMynhSb05634WY2EVlupcv1Ce0HOmMewBYtJ6zLPYyetu1dJ9wnEmXoyOASCWBG27hImWHXjFDlqC2CKhP2r1ZOTfTEZv2OdJTQOKCqZ/PrV5tBTwIRhYhYCrM4ipG/ex4oIXO75TmVsV3tGNd1Dstu5bc0S6mELELBV+h77tD0t7X9ltePpKvYQib9qc0ewmTxc/RKhHa5wQP5cMpL/2Thi6Xg29olmkigjQy86lZxEKI5N2Du7L0cyufdXw7RaUr7Mngd5oc4ND7YL3zDykYSyAVKUHtJ6he0il33nWv/PUrSIPYHf+yeCd4BDQv7rwmIJbUn7kIwyaVWqJikF99lhB9dKOIOUP/7OrLmCYKVN2vv/dmE7/HMl/KL3QYV93rj0utApwJmBC4FKHn1uQludnMu+T8RKtE992CqWr/xcgVfZHsj32GKiveNIhkTXw7cKgXaiByDHFjVQ88KpXizKb3NkeCNwf8BL1w9MFWgYd9jhM6Ir4YaYQE9V/Hm4sb8IpXqugHKCg1A6Yz6YIUqCqDxcGQky6mikP5KgiCq3LtxdU//lHad/xz6FY2mFw5BQ92IKsHPotfHdJNfQS3EuxLDPM+xQvhWXaeqYaugK7h8BPZ4hLXzqNvVtm+T74HlAoU0WCQIHOHTvW0G9rF1NVJ8ixKALCtqiaZ9DMRsWUT60DCCAVoGCSqGSIb3DQEHAaCCAUsEggFHMIIBQzCCAT8GCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgC6Bvc7cSBVAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENzE4pkzl0hU0+wjiYAjEtAEgZD40+JBjts6ddUuCiyhC2Y3nmZPKw0hHh0Dfy67+2QpICEwB3dyldMIVG92wbgTrdrRTlhryFsP6Vl8A3ISATteXtcLeUKZ7ZDNdI+6rA4PASAHnsWaWKY+uw35Ow8we22L5dfOrzGvIb/sRWom30v2u6xWIhBY7+gRoh6jnxA3sqQvhvIeynCr4I52XK1egpoxPjAXBgkqhkiG9w0BCRQxCh4IAHMAZQBhAGwwIwYJKoZIhvcNAQkVMRYEFF3y/EZEpREWxQtlqo37x9Rr87CWMEEwMTANBglghkgBZQMEAgEFAAQgvjBMc4dh8DfN4P3e7c0u4fEAp0n5lVP91S/sKJxhuzAECNYjg7DIcWATAgIIAA=='
/** The password of both PKCS#12 files. */
export const P12_PASSWORD = 'sample'

/** The keys above as settings; the sandbox has keys of its own. */
export const sampleSettings = (): KeySettings => ({
  EVIDENCE_KEY: EVIDENCE_PEM,
  SEAL_KEY: SEAL_PEM,
  SEAL_CERTIFICATE: SEAL_CERTIFICATE_PEM,
  SEAL_P12: undefined,
  SEAL_P12_PASSWORD: '',
  SANDBOX_EVIDENCE_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  SANDBOX_SEAL_KEY: undefined,
  SANDBOX_SEAL_CERTIFICATE: undefined,
  SANDBOX_SEAL_P12,
  SANDBOX_SEAL_P12_PASSWORD: P12_PASSWORD,
  EVIDENCE_RETIRED_KEYS: '',
  SEAL_RETIRED_CERTIFICATES: '',
})

export const SAMPLE_KEYS: EvidenceKeys = {
  evidence: readEvidenceKey(EVIDENCE_PEM),
  seal: readPemSealKey(SEAL_PEM, SEAL_CERTIFICATE_PEM),
}

/** The PDF input of a sample chain. */
export async function samplePdfInput({
  content = NDA,
  parties = SAMPLE_PARTIES,
  language = 'en',
  environment = 'production',
  firstAt,
  evidence = SAMPLE_KEYS.evidence,
  brand,
}: SampleOptions & { evidence?: EvidenceKey; brand?: PdfInput['brand'] } = {}): Promise<PdfInput> {
  const { lines, disclosures } = sampleChain({ content, parties, language, environment, firstAt })
  const [createdAt, completedAt] = [lines[0]!, lines.at(-1)!].map((line) => (JSON.parse(line) as { at: string }).at)
  return toPdfInput({
    view: {
      contractNumber: shared.CONTRACT_NUMBER,
      contractType: 'nda',
      senderName: shared.SENDER_NAME,
      accountName: shared.ACCOUNT_NAME,
      createdAt: createdAt!,
      completedAt: completedAt!,
      contentSha256: createHash('sha256').update(content, 'utf8').digest('hex'),
      environment,
      language,
      parties,
    },
    content,
    lines,
    disclosures,
    evidence,
    jws: await signEvidence(lines, evidence),
    version: '2.0.0',
    brand,
    footName: 'Paraph',
  })
}
