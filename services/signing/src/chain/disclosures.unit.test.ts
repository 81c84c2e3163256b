import { describe, expect, it } from '@jest/globals'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { sampleChain, SAMPLE_PARTIES } from '../../test/evidence-fixture.js'
import { readChain, type Entry } from './chain-reader.js'
import {
  checkDisclosures,
  findForeignMailbox,
  lacksName,
  namesOf,
  disclosuresOf,
  writeDisclosures,
} from './disclosures.js'

const { lines, disclosures } = sampleChain()
const chain = readChain(lines)
const entries: Entry[] = 'entries' in chain ? chain.entries : []

describe('the names of a contract [D29, D30]', () => {
  it('are the roles, legal names and typed names, and no other personal value', () => {
    const file = writeDisclosures(namesOf(disclosures))
    expect(file.split('\n')).toHaveLength(3 * 2 + 3 + 1)
    for (const name of ['Discloser', 'Jane Roe', 'Harbour Analytics Inc\n']) expect(file).toContain(name)
    expect(file).not.toMatch(/@|198\.51|Mozilla/)
  })

  it('match the commitments, each at its entry and path', () => {
    expect(checkDisclosures(writeDisclosures(disclosures), entries)).toEqual({ count: disclosures.length })
  })

  it.each([
    ['a name', (file: string) => file.replace('Jane Roe', 'Jane Row')],
    ['a salt', (file: string) => file.replace(/ [0-9a-f]/, ' g')],
    ['the path of a name', (file: string) => file.replace('parties.0.legalName', 'parties.1.legalName')],
    ['the entry', (file: string) => file.replace(/^1 /, '2 ')],
    ['a name without a commitment', (file: string) => `${file}99 parties.0.role ${'0'.repeat(32)}:Judge\n`],
  ])('are refused with the number of the line when somebody changes or adds %s', (_what, change) => {
    expect(checkDisclosures(change(writeDisclosures(namesOf(disclosures))), entries)).toHaveProperty(
      'fault',
      expect.stringMatching(/^Line \d+ opens nothing/),
    )
  })
})

describe('a file of names [D30]', () => {
  const file = writeDisclosures(namesOf(disclosures))

  it.each([
    ['without a line break at the end', `${file}1 parties.0.legalName ${'0'.repeat(32)}:Evil Corp`],
    ['without any line', ''],
  ])('%s is refused', (_what, broken) => {
    expect(checkDisclosures(broken, entries)).toHaveProperty('fault')
  })

  it('must disclose every role and name exactly once', () => {
    expect(lacksName(file, entries)).toBeUndefined()
    expect(lacksName(file.replace(/^1 parties\.1\.role.*\n/m, ''), entries)).toBe('1 parties.1.role')
    expect(lacksName(file + file, entries)).toBe('1 parties.0.role')
  })
})

describe('the disclosures for one party [D30]', () => {
  const own = (mailbox: string, ...partyIndexes: number[]) =>
    disclosuresOf(disclosures, entries, { mailbox, partyIndexes }).map(({ value }) => value)

  it('contain all names, and the mailbox, network address and browser of this party alone', () => {
    const values = own('jane.roe@example.com', 1)
    expect(values).toEqual(expect.arrayContaining(['Jane.Roe@example.com', '198.51.100.2', 'Mozilla/5.0 (sample)']))
    expect(values).toContain('Harbour Analytics Inc.')
    expect(values.filter((value) => /@/.test(value) && !/^jane\.roe@/i.test(value))).toEqual([])
    expect(values.filter((value) => /^198\./.test(value) && value !== '198.51.100.2')).toEqual([])
  })

  it('are the names alone for a mailbox that occurs in no entry', () => {
    expect(own('nobody@example.com')).toEqual(namesOf(disclosures).map(({ value }) => value))
  })
})

describe('the mailbox of a code [D30]', () => {
  const mailboxes = SAMPLE_PARTIES.map(({ email }) => mailboxOf(email))
  const [first, second, third] = mailboxes

  it('is that of the party that signs in its session', () => {
    expect(findForeignMailbox(disclosures, entries, mailboxes)).toBeUndefined()
  })

  it.each([
    ['another party', [first!, third!, second!], 1],
    ['nobody', [first!, second!], 2],
    ['somebody else', ['mallory@example.com', second!, third!], 0],
  ])('is found when it is that of %s', (_what, others, index) => {
    expect(findForeignMailbox(disclosures, entries, others)).toBe(index)
  })

  it('is found when no disclosure opens it, or one that the entry does not commit to', () => {
    const without = disclosures.filter(({ path }) => path !== 'mailbox')
    expect(findForeignMailbox(without, entries, mailboxes)).toBe(0)
    const changed = disclosures.map((each) => (each.path === 'mailbox' ? { ...each, salt: '0'.repeat(32) } : each))
    expect(findForeignMailbox(changed, entries, mailboxes)).toBe(0)
  })
})
