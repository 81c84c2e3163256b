// Tests docs/keys.md: all commands run exactly as printed, and the signing service accepts the created keys. [D15, D30]
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { checkEvidence } from '@paraph/signing/verify/check'
import { sampleChain, samplePdfInput } from '@paraph/signing/test/evidence-fixture'
import { signEvidence } from '@paraph/signing/sealing/jws'
import { checkEvidenceKeys, type KeySettings, type OpenedKeys } from '@paraph/signing/sealing/keys'
import { readSeal } from '@paraph/signing/sealing/pdf/pdf-seal'
import { renderPdf } from '@paraph/signing/sealing/pdf/render-pdf'
import { sealPdf } from '@paraph/signing/sealing/pdf/seal-pdf'
import { parseKeyring } from '@paraph/config/keyring'

const PAGE = fileURLToPath(new URL('../../../docs/keys.md', import.meta.url))
const SHELLS = ['sh', 'bash'] as const
const run = promisify(execFile)

/** One code block of the page, with its output and the environment variables after it. */
interface Ran {
  block: string
  output: string
  environment: Record<string, string>
}

let folder: string
let blocks: string[]
const ran = new Map<string, Ran[]>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraph-keys-'))
  blocks = [...(await readFile(PAGE, 'utf8')).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
  for (const shell of SHELLS) ran.set(shell, await runAll(shell))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs all blocks in order in one shell and one empty folder, like a reader who pastes them. Rejects at the first failing command. */
async function runAll(shell: string): Promise<Ran[]> {
  const [cwd, results] = [join(folder, shell), join(folder, `${shell}-results`)]
  await Promise.all([mkdir(cwd), mkdir(results)])
  const script = blocks.map(
    (block, index) => `{\n${block}} > '${results}/${index}.output'\nenv -0 > '${results}/${index}.env'\n`,
  )
  // Passes only PATH, because the commands must not depend on the environment, for example on a configuration of OpenSSL.
  await run(shell, ['-euc', script.join('')], { cwd, env: { PATH: process.env['PATH'] ?? '' } })
  return Promise.all(
    blocks.map(async (block, index) => ({
      block,
      output: await readFile(join(results, `${index}.output`), 'utf8'),
      environment: environmentIn(await readFile(join(results, `${index}.env`), 'utf8')),
    })),
  )
}

const environmentIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The result of the only block that contains `part`. */
function ranWith(shell: string, part: string): Ran {
  const found = ran.get(shell)!.filter(({ block }) => block.includes(part))
  if (found.length !== 1) throw new Error(`${found.length} blocks contain ${part}`)
  return found[0]!
}

/** Parses the settings that a block exported. @throws Error with the errors in the settings */
async function opened({ environment }: Ran): Promise<OpenedKeys> {
  const defaults = { SEAL_P12_PASSWORD: '', SANDBOX_SEAL_P12_PASSWORD: '', EVIDENCE_RETIRED_KEYS: '' }
  const found = await checkEvidenceKeys({
    ...defaults,
    SEAL_RETIRED_CERTIFICATES: '',
    ...environment,
  } as unknown as KeySettings)
  if ('faults' in found) throw new Error(found.faults.join('\n'))
  return found
}

/** Seals a PDF with the production keys. */
async function sealedBy({ keys }: OpenedKeys): Promise<Buffer> {
  const input = await samplePdfInput({ content: 'SHORT' })
  const { seal } = keys.production
  return Buffer.from(await sealPdf(await renderPdf(input), seal, { sealedAt: input.sealedAt, reason: 'x' }))
}

const certificateOf = (pdf: Buffer): X509Certificate => {
  const found = readSeal(pdf)
  if ('fault' in found) throw new Error(found.fault)
  return found.certificate
}

describe.each(SHELLS)('docs/keys.md, with %s', (shell) => {
  it.each([
    ['PEM', 'export SANDBOX_SEAL_KEY=', 'pem'],
    ['PKCS#12', 'export SEAL_P12=', 'p12'],
  ])('creates keys in %s that the service accepts and can sign and seal with [D15, D30]', async (_form, part, kind) => {
    const found = await opened(ranWith(shell, part))
    expect(found.keys.production.seal.kind).toBe(kind)
    const { lines } = sampleChain()
    const jws = Buffer.from(await signEvidence(lines, found.keys.production.evidence))
    const report = await checkEvidence(jws, { knownKeysPem: found.published.evidencePem })
    expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
    expect(report.keyId).toBe(found.keys.production.evidence.keyId)
    expect(found.published.sealPem).toContain(`# ${certificateOf(await sealedBy(found)).fingerprint256} production\n`)
    const [production, sandbox] = [found.keys.production, found.keys.sandbox].map(
      ({ seal }) => new X509Certificate(seal.certificates[0]!),
    )
    expect(production!.fingerprint256).not.toBe(sandbox!.fingerprint256)
    expect(sandbox!.subject).toContain('not binding')
  })

  it('creates certificates for document signing, with RSA-3072 keys, valid for three years', async () => {
    const { output } = ranWith(shell, 'new_seal_key production-2026 seal.cnf')
    expect(output).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation\n/)
    const { keys } = await opened(ranWith(shell, 'export SANDBOX_SEAL_KEY='))
    for (const { seal } of [keys.production, keys.sandbox]) {
      const certificate = new X509Certificate(seal.certificates[0]!)
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'])
      expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3_072)
      expect(certificate.ca).toBe(false)
      expect((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000).toBe(1_096)
    }
  })

  it('creates no file that other users can read', async () => {
    const { stdout } = await run('find', [join(folder, shell), '-type', 'f', '-perm', '/077'])
    expect(stdout).toBe('')
  })

  it('prints the same key id and certificate fingerprint as the service [RFC 7638]', async () => {
    const { keys, published } = await opened(ranWith(shell, 'export SANDBOX_SEAL_KEY='))
    expect(ranWith(shell, 'key_id production-2026').output).toBe(`${keys.production.evidence.keyId}\n`)
    const [, fingerprint = ''] = /Fingerprint=(\S+)/.exec(ranWith(shell, '-fingerprint').output) ?? []
    expect(published.sealPem).toContain(`# ${fingerprint} production\n`)
  })

  it('rotates keys: the new keys sign, and signatures and seals of the old keys stay verifiable [D30]', async () => {
    const before = await opened(ranWith(shell, 'export SEAL_P12='))
    const after = await opened(ranWith(shell, 'export EVIDENCE_RETIRED_KEYS='))
    const [old, current] = [before.keys.production.evidence, after.keys.production.evidence]
    expect(current.keyId).not.toBe(old.keyId)
    expect(after.keys.sandbox.evidence.keyId).toBe(before.keys.sandbox.evidence.keyId)
    expect(after.published.evidencePem).toContain(`# ${old.keyId} retired\n${old.publicPem}`)
    expect(after.published.evidencePem).toContain(`# ${current.keyId} production\n`)
    expect(after.published.jwks.keys).toContainEqual(expect.objectContaining({ kid: old.keyId }))
    expect(after.published.pemOf.get(old.keyId)).toBe(old.publicPem)

    const { lines } = sampleChain()
    for (const key of [old, current]) {
      const jws = Buffer.from(await signEvidence(lines, key))
      const report = await checkEvidence(jws, { knownKeysPem: after.published.evidencePem })
      expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
      expect(report.checks.map(({ name }) => name)).toContain('key')
      expect(report.keyId).toBe(key.keyId)
    }
    const [oldSeal, newSeal] = [certificateOf(await sealedBy(before)), certificateOf(await sealedBy(after))]
    expect(after.published.sealPem).toContain(`# ${oldSeal.fingerprint256} retired\n`)
    expect(after.published.sealPem).toContain(`# ${newSeal.fingerprint256} production\n`)
  })

  it('creates a keyring that a service can parse', () => {
    expect(parseKeyring(ranWith(shell, 'openssl rand -base64').output.trim()).currentId).toBe('k2')
  })
})
