// Parses `If-None-Match`. Pure. [RFC 9110, 13.1.2, D22]
// A header that breaks the grammar counts as absent: the client then gets the whole body, which is always correct.

/** `any` for `*`; otherwise the opaque tags with their quotes, without `W/`. Empty for an absent or malformed header. */
type KnownTags = 'any' | ReadonlySet<string>

const NEXT_TAG = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y
const REST = /[ \t,]*$/y

/** @param ifNoneMatch the value of the header; Node joins repeated headers with commas */
export function parseIfNoneMatch(ifNoneMatch: string): KnownTags {
  if (ifNoneMatch.trim() === '*') return 'any'
  const tags = new Set<string>()
  let at = 0
  for (;;) {
    REST.lastIndex = at
    if (REST.test(ifNoneMatch)) return tags
    NEXT_TAG.lastIndex = at
    const tag = NEXT_TAG.exec(ifNoneMatch)?.[1]
    if (tag === undefined) return new Set()
    tags.add(tag)
    at = NEXT_TAG.lastIndex
  }
}

/** True if the client already has the representation of `etag`. Weak comparison: `W/` makes no difference. */
export const isKnown = (known: KnownTags, etag: string): boolean => known === 'any' || known.has(etag)
