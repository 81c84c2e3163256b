import { expect, it } from '@jest/globals'
import { lookUpRecords, type TxtResolver } from './mail.js'

const SPF = ['v=spf1 include:', 'mail.example -all']
/** A resolver with these records; `codes` fails with a code of DNS. */
const resolver = (records: Record<string, string[][]>, codes: Record<string, string> = {}): TxtResolver => ({
  resolveTxt: async (name) => {
    const found = records[name]
    if (found) return found
    throw Object.assign(new Error(name), { code: codes[name] ?? 'ENOTFOUND' })
  },
})
const DOMAIN = 'mail.paraph.io'
const KEYS = `_domainkey.${DOMAIN}`

it('SPF is one record, also in several strings and beside other records [RFC 7208]', async () => {
  const look = async (records: string[][]) => (await lookUpRecords(DOMAIN, resolver({ [DOMAIN]: records }))).spf
  expect(await look([['google-site-verification=1'], SPF])).toBe('present')
  expect(await look([['v=spf10 -all']])).toBe('absent')
  expect(await look([SPF, ['V=SPF1']])).toBe('several')
  expect((await lookUpRecords(DOMAIN, resolver({}))).spf).toBe('absent')
})

it('DKIM is there if a name below _domainkey exists, also without a record of its own [RFC 8020]', async () => {
  const look = async (code: string) => (await lookUpRecords(DOMAIN, resolver({}, { [KEYS]: code }))).dkim
  expect(await look('ENODATA')).toBe('present')
  expect(await look('ENOTFOUND')).toBe('absent')
  expect(await look('ESERVFAIL')).toBe('unanswered')
  expect(await look('ETIMEOUT')).toBe('unanswered')
})

it('reserved names are not looked up [RFC 2606]', async () => {
  for (const name of ['mail.paraph.test', 'example.com', 'mail.example.org', 'localhost', 'x.invalid'])
    expect(await lookUpRecords(name, resolver({}))).toEqual({ spf: 'reserved', dkim: 'reserved' })
  expect((await lookUpRecords('test.paraph.io', resolver({}))).spf).toBe('absent')
})
