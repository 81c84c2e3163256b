// Unusual bodies and headers of POST /contracts, with the expected answers. [POST /contracts, D5, D7, D11, D14, D18]
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

export const PARTIES = [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'nordic@example.test' },
  { role: 'Recipient', legalName: 'Jane Roe', email: 'jane@example.test' },
]
export const CONTRACT = { parties: PARTIES, contractType: 'nda', content: '1. PURPOSE\n\nKeep it secret.' }

export interface OddBody {
  name: string
  body: string | Uint8Array
  /** Headers in addition to `Content-Type: application/json`, or instead of it; undefined removes a header. */
  headers?: Record<string, string | undefined>
  answer: '201' | `${number} ${string}`
}

const valid = JSON.stringify(CONTRACT)
const KIB_512 = 524_288
/** `valid` with `text` inserted as the first field. */
const with_ = (text: string) => valid.replace('{', `{${text},`)
const content = (text: string) => JSON.stringify({ ...CONTRACT, content: text })
const invalid = '400 invalid_request'
const unsupported = '415 unsupported_media_type'

/** Bodies that are unusual as bytes or as JSON syntax. */
const BYTES: OddBody[] = [
  { name: 'nothing', body: '', answer: invalid },
  { name: 'blanks', body: ' \n\t ', answer: invalid },
  { name: 'half an object', body: '{"parties":', answer: invalid },
  { name: 'text after the object', body: `${valid}zebra`, answer: invalid },
  { name: 'two objects', body: valid + valid, answer: invalid },
  { name: 'a trailing comma', body: valid.replace(/}$/, ',}'), answer: invalid },
  { name: 'a comment', body: with_('/* zebra */"a":1'), answer: invalid },
  { name: 'single quotes', body: "{'content':'zebra'}", answer: invalid },
  { name: 'NaN', body: with_('"a":NaN'), answer: invalid },
  { name: 'a form', body: 'content=zebra', answer: invalid },
  { name: 'an array', body: `[${valid}]`, answer: invalid },
  { name: 'a string', body: '"zebra"', answer: invalid },
  { name: 'a number', body: '42', answer: invalid },
  { name: 'null', body: 'null', answer: invalid },
  { name: 'true', body: 'true', answer: invalid },
  { name: 'a byte order mark', body: `\uFEFF${valid}`, answer: invalid },
  { name: 'UTF-16', body: Buffer.from(valid, 'utf16le'), answer: invalid },
  { name: 'broken UTF-8', body: Buffer.concat([Buffer.from(valid), Buffer.from([0xff])]), answer: invalid },
  { name: 'an overlong form of UTF-8', body: Buffer.from('{"a":"\xc0\xaf"}', 'latin1'), answer: invalid },
  { name: 'a surrogate written in UTF-8', body: Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), answer: invalid },
  { name: 'a raw line break in a string', body: with_('"a":"b\nc"'), answer: invalid },
  { name: 'blanks around the object', body: `\r\n ${valid} \t\n`, answer: '201' },
  { name: '512 KiB', body: valid.padEnd(KIB_512), answer: '201' },
  { name: '512 KiB and a byte', body: valid.padEnd(KIB_512 + 1), answer: '413 body_too_large' },
]

/** Bodies with unusual values or fields. */
const VALUES: OddBody[] = [
  { name: '20 levels', body: with_(`"a":${'['.repeat(19)}${']'.repeat(19)}`), answer: '201' },
  { name: '21 levels', body: with_(`"a":${'['.repeat(20)}${']'.repeat(20)}`), answer: invalid },
  { name: 'brackets in a string', body: with_(`"a":"${'['.repeat(1_000)}\\"${'{'.repeat(1_000)}"`), answer: '201' },
  { name: '500,000 brackets', body: '['.repeat(500_000), answer: invalid },
  { name: 'a field twice, the last good', body: with_('"contractType":"zebra"'), answer: '201' },
  { name: 'a field twice, the last bad', body: valid.replace(/}$/, ',"contractType":"zebra"}'), answer: invalid },
  { name: 'an unknown field', body: with_('"zebra":{"a":[1,2]}'), answer: '201' },
  {
    name: 'fields that only the service may set',
    body: with_('"id":"zebra","status":"signed","expiresAt":"2099"'),
    answer: '201',
  },
  { name: '__proto__ at the top', body: with_('"__proto__":{"status":"signed"}'), answer: '201' },
  { name: 'constructor at the top', body: with_('"constructor":{"prototype":{"a":1}}'), answer: '201' },
  { name: '__proto__ in a party', body: valid.replace('{"role"', '{"__proto__":{"a":1},"role"'), answer: '201' },
  { name: 'constructor in a party', body: valid.replace('{"role"', '{"constructor":"a","role"'), answer: '201' },
  {
    name: 'a party with __proto__ as its only field',
    body: valid.replace(/\{"role".*?\}/, '{"__proto__":{"role":"a"}}'),
    answer: invalid,
  },
  { name: '__proto__ in metadata', body: with_('"metadata":{"__proto__":"a"}'), answer: invalid },
  { name: '__proto__ as metadata', body: with_('"metadata":{"__proto__":{"a":"b"}}'), answer: invalid },
  { name: 'constructor in metadata', body: with_('"metadata":{"constructor":"a","toString":"b"}'), answer: '201' },
  { name: 'a number in metadata', body: with_('"metadata":{"a":1}'), answer: invalid },
  { name: 'a huge number that is ignored', body: with_('"a":1e999'), answer: '201' },
  { name: 'a huge number for a field', body: with_('"senderName":1e999'), answer: invalid },
  { name: 'null for an optional field', body: with_('"senderName":null'), answer: invalid },
  { name: 'half a surrogate pair by escape', body: content('a').replace('"a"', '"\\ud83d"'), answer: invalid },
  { name: 'a whole surrogate pair by escape', body: content('a').replace('"a"', '"\\ud83d\\ude00"'), answer: '201' },
  { name: 'NUL by escape', body: content('a').replace('"a"', '"a\\u0000"'), answer: invalid },
  { name: 'NUL in a field that is ignored', body: with_('"a":["\\u0000"]'), answer: invalid },
  { name: 'half a surrogate pair in an unknown key', body: with_('"\\ud83d":1'), answer: invalid },
  { name: 'NUL in a metadata key', body: with_('"metadata":{"a\\u0000":"b"}'), answer: invalid },
  { name: '51,200 bytes of content, two per character', body: content('é'.repeat(25_600)), answer: '201' },
  { name: '51,201 bytes of content', body: content(`${'é'.repeat(25_600)}a`), answer: invalid },
  {
    name: '51,200 bytes of content, each escaped',
    body: content('a').replace('"a"', `"${'\\u0061'.repeat(51_200)}"`),
    answer: '201',
  },
  { name: '51,204 bytes of content, four per character', body: content('😀'.repeat(12_801)), answer: invalid },
]

/** Unusual Content-Type and Content-Encoding headers. */
const TYPES: OddBody[] = [
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; Charset="utf-8"',
    'application/json;',
  ].map((type): OddBody => ({ name: type, body: valid, headers: { 'content-type': type }, answer: '201' })),
  ...[
    'text/json',
    'text/plain',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; profile=zebra',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    '*/*',
    ' ',
  ].map((type): OddBody => ({ name: type, body: valid, headers: { 'content-type': type }, answer: unsupported })),
  { name: 'no media type', body: valid, headers: { 'content-type': undefined }, answer: unsupported },
  { name: 'gzip', body: gzipSync(valid), headers: { 'content-encoding': 'gzip' }, answer: unsupported },
  { name: 'deflate', body: deflateSync(valid), headers: { 'content-encoding': 'deflate' }, answer: unsupported },
  { name: 'br', body: brotliCompressSync(valid), headers: { 'content-encoding': 'br' }, answer: unsupported },
  { name: 'plain JSON as gzip', body: valid, headers: { 'content-encoding': 'GZIP' }, answer: unsupported },
  { name: 'identity', body: valid, headers: { 'content-encoding': 'Identity' }, answer: '201' },
]

export const ODD_BODIES: readonly OddBody[] = [...BYTES, ...VALUES, ...TYPES]
