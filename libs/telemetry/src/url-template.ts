// Maps a path to its template: known words stay, everything else becomes a placeholder. Pure. [I14]
// A path may hold a share token, a challenge or any typed text, so only words of the list may leave the process.

const WORDS = new Set([
  'api',
  'external',
  'v1',
  'v2',
  'contracts',
  'usage',
  'status',
  'docs',
  'openapi.json',
  'console',
  'wait',
  'contract',
  'code',
  'resend',
  'review',
  'sign',
  'done',
  'leave',
  'report',
  'contract.txt',
  'copy.pdf',
  'evidence.jws',
  'sign-in',
  'again',
  'sign-out',
  'accounts',
  'application',
  'withdraw',
  'plan',
  'overview',
  'quota',
  'keys',
  'new',
  'rotate',
  'revoke',
  'account',
  'operator',
  'applications',
  'reports',
  'audit',
  'cancel',
  'erase',
  'settings',
  'help',
  'privacy',
  'assets',
  'signing',
  'gateway',
  '.well-known',
  'livez',
  'readyz',
])
/** The placeholder after a word, by that word. */
const PLACEHOLDERS = new Map([
  ['contract', '{shareToken}'],
  ['contracts', '{id}'],
  ['code', '{challenge}'],
  ['signing', '{file}'],
  ['sign-in', '{challenge}'],
  ['keys', '{id}'],
  ['accounts', '{id}'],
  ['applications', '{id}'],
  ['gateway', '{file}'],
  ['docs', '{page}'],
])
const PROCEDURE = /^\/rpc\/[A-Za-z]{1,32}(?:\.[A-Za-z]{1,32}){0,3}$/
const SEGMENTS_MAX = 8

/** The template of a path, such as `/contract/{shareToken}/code/{challenge}`, without the query. */
export function templateOf(path: string): string {
  const bare = path.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
  if (PROCEDURE.test(bare)) return bare
  const segments = bare.split('/').slice(1)
  const template = segments
    .slice(0, SEGMENTS_MAX)
    .map((segment, at) =>
      WORDS.has(segment) || segment === '' ? segment : (PLACEHOLDERS.get(segments[at - 1] ?? '') ?? '{unknown}'),
    )
  return `/${template.join('/')}`
}
