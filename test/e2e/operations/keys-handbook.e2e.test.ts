// Tests docs/how-to/operators/secrets.md: all commands run exactly as printed, and the signing service accepts the created keys. [D15, D30]
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

/** The blocks of commands of a page. */
async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL(`../../../docs/${page}.md`, import.meta.url)), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
}

/** What docs/how-to/operators/secrets.md says of the sandbox in a sentence: the same with other names. */
const SANDBOX_ROTATION = `new_evidence_key sandbox-2029
new_seal_key sandbox-2029 sandbox-seal.cnf
retire_key sandbox sandbox-2026-evidence-public.pem >> retired-evidence-keys.pem
retire_certificate sandbox sandbox-2026-seal-certificate.pem >> retired-seal-certificates.pem
export SANDBOX_EVIDENCE_KEY="$(cat sandbox-2029-evidence-key.pem)"
export SANDBOX_SEAL_KEY="$(cat sandbox-2029-seal-key.pem)"
export SANDBOX_SEAL_CERTIFICATE="$(cat sandbox-2029-seal-certificate.pem)"
export EVIDENCE_RETIRED_KEYS="$(cat retired-evidence-keys.pem)"
export SEAL_RETIRED_CERTIFICATES="$(cat retired-seal-certificates.pem)"
`
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
/** The commands of docs/explanation/evidence.md. */
let checks: string[]
const ran = new Map<string, Ran[]>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paraph-keys-'))
  blocks = [...(await commandsOf('how-to/operators/secrets')), SANDBOX_ROTATION]
  checks = await commandsOf('explanation/evidence')
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

describe.each(SHELLS)('docs/how-to/operators/secrets.md, with %s', (shell) => {
  it.each([
    ['PEM', 'export SANDBOX_SEAL_KEY="$(cat sandbox-2026', 'pem'],
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
    const { keys } = await opened(ranWith(shell, 'export SANDBOX_SEAL_KEY="$(cat sandbox-2026'))
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
    const { keys, published } = await opened(ranWith(shell, 'export SANDBOX_SEAL_KEY="$(cat sandbox-2026'))
    expect(ranWith(shell, '\nkey_id production-2026').output).toBe(`${keys.production.evidence.keyId}\n`)
    const fingerprint = ranWith(shell, '\ncertificate_id production-2026').output.trim()
    expect(published.sealPem).toContain(`# ${fingerprint} production\n`)
  })

  it('rotates keys: the new keys sign, and signatures and seals of the old keys stay verifiable [D30, P38]', async () => {
    const before = await opened(ranWith(shell, 'export SEAL_P12='))
    const after = await opened(ranWith(shell, 'export EVIDENCE_KEY="$(cat production-2029'))
    const today = new Date().toISOString().slice(0, 10)
    const [old, current] = [before.keys.production.evidence, after.keys.production.evidence]
    expect(current.keyId).not.toBe(old.keyId)
    expect(after.keys.sandbox.evidence.keyId).toBe(before.keys.sandbox.evidence.keyId)
    expect(after.published.evidencePem).toContain(`# ${old.keyId} retired-production:${today}\n${old.publicPem}`)
    expect(after.published.evidencePem).toContain(`# ${current.keyId} production\n`)
    expect(after.published.jwks.keys).toContainEqual(expect.objectContaining({ kid: old.keyId }))
    expect(after.published.pemOf.get(old.keyId)).toBe(old.publicPem)

    // The sample takes two days. It ends ten hours ago, before the last day of the old keys is over.
    const { lines } = sampleChain({ firstAt: Date.now() - 2 * 86_400_000 - 12 * 3_600_000 })
    for (const key of [old, current]) {
      const jws = Buffer.from(await signEvidence(lines, key))
      const report = await checkEvidence(jws, { knownKeysPem: after.published.evidencePem })
      expect(report.checks.filter(({ holds }) => !holds)).toEqual([])
      expect(report.checks.map(({ name }) => name)).toContain('key')
      expect(report.keyId).toBe(key.keyId)
    }
    const [oldSeal, newSeal] = [certificateOf(await sealedBy(before)), certificateOf(await sealedBy(after))]
    expect(after.published.sealPem).toContain(`# ${oldSeal.fingerprint256} retired-production:${today}\n`)
    expect(after.published.sealPem).toContain(`# ${newSeal.fingerprint256} production\n`)
  })

  it('writes into both lists since when a stolen key counts for nothing [P38]', async () => {
    const { keys } = await opened(ranWith(shell, 'export SEAL_P12='))
    const { published } = await opened(ranWith(shell, 'compromise()'))
    const since = ' compromised-since:2029-03-14'
    const { evidence, seal } = keys.production
    const fingerprint = new X509Certificate(seal.certificates[0]!).fingerprint256
    expect(published.evidencePem).toMatch(new RegExp(`^# ${evidence.keyId} retired-production:\\S+${since}$`, 'm'))
    expect(published.sealPem).toMatch(new RegExp(`^# ${fingerprint} retired-production:\\S+${since}$`, 'm'))
  })

  it('makes nothing of production from a stolen sandbox key that was retired: every printed check says no [P38]', async () => {
    const before = await opened(ranWith(shell, 'export SEAL_P12='))
    const { published } = await opened(ranWith(shell, 'retire_key sandbox'))
    const forged = { firstAt: Date.UTC(2035, 0, 1), keys: before.keys.sandbox }
    const honest = { firstAt: Date.UTC(2026, 9, 1), keys: before.keys.production }
    const found = []
    for (const [name, { firstAt, keys }] of Object.entries({ forged, honest })) {
      const input = await samplePdfInput({ firstAt, evidence: keys.evidence })
      const options = { sealedAt: input.sealedAt, reason: 'x' }
      const pdf = Buffer.from(await sealPdf(await renderPdf(input), keys.seal, options))
      const cwd = join(folder, shell, name)
      await mkdir(cwd)
      await writeFile(join(cwd, 'copy.pdf'), pdf)
      await writeFile(join(cwd, 'paraph-evidence.pem'), published.evidencePem)
      await writeFile(join(cwd, 'paraph-seal.pem'), published.sealPem)
      for (const attached of input.attachments) await writeFile(join(cwd, attached.name), attached.bytes)
      const { stdout, stderr } = await run(shell, ['-c', checks.join('\n')], { cwd })
      expect(stdout + stderr).toMatch(/Signature Verified Successfully[\s\S]*CAdES Verification successful/)
      const material = { knownKeysPem: published.evidencePem, knownSealsPem: published.sealPem }
      const { checks: all } = await checkEvidence(pdf, material)
      const broken = all.filter(({ holds }) => !holds).map((check) => check.name)
      found.push({ name, broken, printed: stdout.match(/^(yes|NO): production, .*(?=:)/gm) })
    }
    const no = 'NO: production, 2035-01-03; listed: retired-sandbox'
    const yes = 'yes: production, 2026-10-03; listed: retired-production'
    expect(found).toEqual([
      { name: 'forged', broken: ['environment', 'day'], printed: [no, no] },
      { name: 'honest', broken: [], printed: [yes, yes].map((line) => expect.stringContaining(line)) },
    ])
  })

  it('creates a keyring that a service can parse', () => {
    expect(parseKeyring(ranWith(shell, 'openssl rand -base64').output.trim()).currentId).toBe('k2')
  })
})
