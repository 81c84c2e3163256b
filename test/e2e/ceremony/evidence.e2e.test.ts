// Verifies evidence with third-party tools: OpenSSL, a shell, and the PDF tools of poppler.
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import { createMailbox } from '../../harness/clients/api-client.js'
import { paraph } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import {
  createSignable,
  download,
  SEALED_CONTENT,
  SEALED_PARTIES,
  signAll,
  untilSealed,
  wellKnown,
} from '../../harness/clients/sealed-contract.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FIXTURE = `${ROOT}test/fixtures/evidence`
const run = promisify(execFile)

let running: SharedStack
let files: Awaited<ReturnType<typeof download>>
let folder: string
beforeAll(async () => {
  running = await joinStack()
  folder = await mkdtemp(join(tmpdir(), 'paraph-evidence-'))
  files = await sealedFiles(running.stack.liveKey, SEALED_PARTIES, SEALED_CONTENT)
}, 120_000)
afterAll(async () => {
  await running?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a contract that all parties sign. @returns the downloads of the last party */
async function sealedFiles(key: string, parties: typeof SEALED_PARTIES, content: string) {
  const { shareUrl } = await createSignable(running, key, { parties, content, senderName: 'Nordic Foods procurement' })
  const visitor = (await signAll(running, shareUrl, parties)).get(parties.at(-1)!.email.toLowerCase())!
  await untilSealed(visitor, shareUrl)
  return download(visitor, shareUrl)
}

/** Runs a program of poppler on a PDF. @returns its output */
async function poppler(program: string, pdf: Buffer, options: string[] = [], output: string[] = []): Promise<string> {
  const file = join(folder, 'poppler.pdf')
  await writeFile(file, pdf)
  return (await run(program, [...options, file, ...output])).stdout
}

/** The text of each page, as pdftotext reads it. */
const pagesOf = async (pdf: Buffer): Promise<string[]> =>
  (await poppler('pdftotext', pdf, [], ['-'])).split('\f').slice(0, -1)

describe('the sealed PDF, in poppler [D29, D30]', () => {
  it('has a valid seal over the whole file', async () => {
    const output = await poppler('pdfsig', files['copy.pdf'])
    expect(output).toContain('Signature is Valid.')
    expect(output).toContain('Total document signed')
    expect(output.match(/^Signature #/gm)).toHaveLength(1)
  })

  it('shows all roles and names, and unprintable characters by code point, but no address and no time of a code', async () => {
    const text = (await pagesOf(files['copy.pdf'])).join('\n')
    for (const { role, legalName } of SEALED_PARTIES) {
      expect(text).toContain(role)
      expect(text).toContain(legalName)
    }
    expect(text).toContain('Signed by all 3 parties')
    for (const command of CHECK_COMMANDS) expect(text).toContain(command)
    expect(text).toContain('100 €, “quoted”, [U+1F600].')
    expect(text).not.toMatch(/@|127\.0\.0\.1|Code sent|not legally binding/)
  })

  it('marks headings and tables for screen readers, embeds its fonts and files, and contains no script', async () => {
    const structure = await poppler('pdfinfo', files['copy.pdf'], ['-struct-text'])
    expect(structure).toMatch(/H1 \(block\)\s+"NON-DISCLOSURE AGREEMENT"/)
    expect(structure).toMatch(/TH:\s+\/Scope \/Column\s+"Legal name"/)
    expect(structure).toMatch(/TD\s+"Nordic Foods Ltd\."/)
    const info = await poppler('pdfinfo', files['copy.pdf'])
    expect(info).toMatch(/^Tagged: +yes$/m)
    expect(info).toMatch(/^JavaScript: +no$/m)
    const [, , ...fonts] = (await poppler('pdffonts', files['copy.pdf'])).trim().split('\n')
    expect(fonts.length).toBeGreaterThan(0)
    for (const font of fonts) expect(font).toMatch(/ yes yes yes +\d+ +0$/)
    const attached = await saved('attached', files['copy.pdf'], {})
    expect((await readdir(attached)).toSorted()).toEqual([
      'contract.txt',
      'copy.pdf',
      'evidence.jws',
      'names.txt',
      'paraph.pem',
    ])
    for (const name of ['contract.txt', 'evidence.jws'] as const)
      expect((await readFile(join(attached, name), 'utf8')).trimEnd()).toBe(files[name].toString().trimEnd())
  })

  it('states on every page of a sandbox contract that it is not binding, in French if its text is French [D15, D25]', async () => {
    const parties = SEALED_PARTIES.slice(0, 2).map((party) => ({ ...party, email: `sandbox.${party.email}` }))
    const content = 'ENTENTE DE CONFIDENTIALITÉ\n\n1. OBJET\n\nLes parties gardent les secrets secrets.\n\n'.repeat(20)
    const { 'copy.pdf': pdf, 'evidence.jws': jws } = await sealedFiles(running.stack.testKey, parties, content)
    const pages = await pagesOf(pdf)
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) expect(page).toContain('Contrat d’essai - sans valeur juridique')
    expect(pages.at(-1)).toContain('Signé par les deux parties')
    const { kid } = JSON.parse(Buffer.from(jws.toString().split('.')[0]!, 'base64url').toString()) as { kid: string }
    const pem = await (await wellKnown(running, 'paraph-evidence.pem')).text()
    expect(pem).toContain(`# ${kid} sandbox\n`)
    const mail = await createMailbox(running.stack.mailboxUrl).waitFor(
      'sandbox.jane@sealed.test',
      'Everyone has signed',
    )
    expect(mail.Subject).toMatch(/^\[TEST\] /)
  })
})

/** Creates a folder with a PDF, the files attached to the PDF, and `keys`. @returns the folder */
async function saved(name: string, pdf: Buffer, keys: Record<string, Buffer | string>): Promise<string> {
  const cwd = join(folder, name)
  await mkdir(cwd)
  await writeFile(join(cwd, 'copy.pdf'), pdf)
  await run('pdfdetach', ['-saveall', '-o', cwd, join(cwd, 'copy.pdf')])
  for (const [each, bytes] of Object.entries(keys)) await writeFile(join(cwd, each), bytes)
  return cwd
}

describe('the verification with docs/explanation/evidence.md [D30]', () => {
  let blocks: string[]
  beforeAll(async () => {
    const page = await readFile(`${ROOT}docs/explanation/evidence.md`, 'utf8')
    blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
  })

  const published = async () => ({
    'paraph-evidence.pem': await (await wellKnown(running, 'paraph-evidence.pem')).text(),
    'paraph-seal.pem': await (await wellKnown(running, 'paraph-seal.pem')).text(),
  })
  const kept = async () => ({
    'paraph-evidence.pem': await readFile(`${FIXTURE}/paraph-evidence.pem`),
    'paraph-seal.pem': await readFile(`${FIXTURE}/paraph-seal.pem`),
  })
  /** Runs all commands of the page in order in one shell, like a reader who pastes them. @returns their output */
  const check = async (cwd: string, shell: string): Promise<string> => {
    const { stdout, stderr } = await run(shell, ['-c', blocks.join('\n')], { cwd })
    return stdout + stderr
  }
  const EXPECTED_OUTPUT = [
    'Signature Verified Successfully',
    'the seal covers the whole file',
    'and its place holds the seal alone',
    'CAdES Verification successful',
  ]
  /** The lines that say whether the key, and then the certificate, fits the contract. */
  const YES = /^yes: production, \d{4}-\d{2}-\d{2}; listed: production$/gm

  it.each(['sh', 'bash'])('accepts a new contract with every printed command, in %s', async (shell) => {
    const cwd = await saved(`today-${shell}`, files['copy.pdf'], await published())
    const output = await check(cwd, shell)
    for (const sentence of EXPECTED_OUTPUT) expect(output).toContain(sentence)
    expect(output.match(YES)).toHaveLength(2)
    expect(output).not.toMatch(/does not follow|opens nothing/)
    const [, sha256] = /^([0-9a-f]{64}) {2}contract\.txt$/m.exec(output)!
    expect(output).toContain(`"contentSha256":"${sha256}"`)
  })

  it('accepts the contract in the repository, and must accept it forever', async () => {
    const cwd = await saved('kept', await readFile(`${FIXTURE}/copy.pdf`), await kept())
    const output = await check(cwd, 'sh')
    for (const sentence of EXPECTED_OUTPUT) expect(output).toContain(sentence)
    expect(output).not.toMatch(/does not follow|opens nothing/)
    expect(output.match(YES)).toHaveLength(2)
    const { code, stdout } = await paraph(
      running.folder,
      'evidence',
      'verify',
      join(cwd, 'copy.pdf'),
      '--keys',
      join(cwd, 'paraph-evidence.pem'),
      '--certificates',
      join(cwd, 'paraph-seal.pem'),
    )
    expect(stdout).not.toMatch(/BROKEN|not compared/)
    expect(code).toBe(0)
    const alone = await paraph(running.folder, 'evidence', 'verify', join(cwd, 'copy.pdf'))
    expect([alone.code, alone.stdout.match(/^ +not compared/gm)?.length]).toEqual([3, 2])
  })

  it('does not accept an unpublished key in a file that also contains a published key', async () => {
    const cwd = await saved('foreign-key', files['copy.pdf'], await published())
    const [, line] = /-----BEGIN PUBLIC KEY-----\n(.+)\n/.exec(await readFile(join(cwd, 'paraph.pem'), 'utf8'))!
    const { publicKey } = generateKeyPairSync('ed25519')
    const foreign = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    await writeFile(join(cwd, 'paraph.pem'), `any text\n${line}\n${foreign}`)
    const output = await check(cwd, 'sh').catch(({ stdout }: { stdout: string }) => stdout)
    expect(output).toMatch(/^NO: production, \S+; listed: $/m)
  })

  it('executes no command in names.txt, and checks its last line even without a line feed', async () => {
    const cwd = await saved('hostile-names', files['copy.pdf'], await published())
    await writeFile(
      join(cwd, 'names.txt'),
      '1etouch${IFS}ran;# parties.0.role 00:x\n1,$ typedName 00:x\n-n parties.0.role 00:x\n1 parties.0.role 00:Evil Corp',
    )
    const output = await check(cwd, 'sh').catch(({ stdout }: { stdout: string }) => stdout)
    expect(output.match(/^opens nothing: /gm)).toHaveLength(4)
    expect(await readdir(cwd)).not.toContain('ran')
  })

  it('rejects a PDF whose gap for the seal contains other content than the seal', async () => {
    const cwd = await saved('wide-place', files['copy.pdf'], await published())
    const pdf = files['copy.pdf'].toString('latin1')
    const [range, , to] = /\/ByteRange *\[ *0 +(\d+) +(\d+) +\d+ *\]/.exec(pdf)!
    // Inserts 60,000 bytes of other content at the end of the gap that the seal does not cover.
    const hidden = `> (other pages) ${range.replace(to!, String(Number(to) + 60_000))} <`.padEnd(60_000, ' ')
    const forged = `${pdf.slice(0, Number(to) - 1)}${hidden}${pdf.slice(Number(to) - 1)}`
    await writeFile(join(cwd, 'copy.pdf'), forged, 'latin1')
    const output = await check(cwd, 'sh').catch(({ stdout }: { stdout: string }) => stdout)
    expect(EXPECTED_OUTPUT.filter((sentence) => !output.includes(sentence))).not.toEqual([])
  })

  it.each([
    ['a word of the text', 'contract.txt', (text: string) => text.replace('secret', 'public'), 'another SHA-256'],
    [
      'a digit of the evidence',
      'evidence.jws',
      (jws: string) => jws.replace(/^(.{300})./, (_, head: string) => `${head}~`),
      'Signature',
    ],
    ['a name', 'names.txt', (names: string) => names.replace('Jane Roe', 'Jane Row'), 'opens nothing'],
    [
      'a page',
      'copy.pdf',
      (pdf: string) => pdf.replace(/\/MediaBox \[0 0 612 792\]/, '/MediaBox [0 0 612 791]'),
      'CAdES',
    ],
  ])('detects that %s was changed', async (_what, name, change) => {
    const cwd = await saved(`changed-${name}`, files['copy.pdf'], await published())
    const before = await readFile(join(cwd, name), 'latin1')
    const after = change(before)
    expect(after).not.toBe(before)
    await writeFile(join(cwd, name), after, 'latin1')
    const output = await check(cwd, 'sh').catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )
    const isFound = [
      EXPECTED_OUTPUT.some((sentence) => !output.includes(sentence)),
      /opens nothing|does not follow/.test(output),
      !output.includes(`"contentSha256":"${/^([0-9a-f]{64}) {2}contract\.txt$/m.exec(output)?.[1]}"`),
    ]
    expect(isFound).toContain(true)
  })
})
