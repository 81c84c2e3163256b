// What `If-None-Match` says, and whether a tag is among it. Pure. [RFC 9110, 13.1.2, D22]
// What breaks the header's grammar counts as not sent: the client then gets the whole body, which is never wrong.

/** `any` for `*`; else the opaque tags with their quotes, without `W/`: none where nothing readable was sent. */
export type KnownTags = 'any' | ReadonlySet<string>

const NEXT_TAG = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y
const REST = /[ \t,]*$/y

/** @param ifNoneMatch the header's value; repeated headers joined with commas, as Node does */
export function knownTagsOf(ifNoneMatch: string): KnownTags {
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

/** True when the client has what `etag` names already. Weak comparison: `W/` makes no difference. */
export const isKnown = (known: KnownTags, etag: string): boolean => known === 'any' || known.has(etag)
