// Where a browser may break a line inside what it takes for one character. PURE. [ceremony: plain text]
// Conjoining jamo, virama chains and joined emoji make one "character" of any length: no line is broken inside it, and what does
// not fit is cut off at the edge of the paper. No real one is so long.

/** Of characters that take room, in one cluster; a joined family has four, the longest conjunct six. */
const CLUSTER_MAX = 8
/** Only what can join the character before or behind it makes a long cluster. */
const CAN_JOIN = /[\p{M}\p{Cf}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u0D4E\u{11000}-\u{11FFF}]/u
const TAKES_ROOM = /[^\p{Mn}\p{Me}\p{Cf}]/u
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The text in pieces; between two of them a line may break. One piece where there is no long cluster. */
export function cutLongClusters(text: string): string[] {
  if (text.length <= CLUSTER_MAX || !CAN_JOIN.test(text)) return [text]
  const pieces: string[] = []
  let from = 0
  for (const { segment, index } of clusters.segment(text)) {
    if (segment.length <= CLUSTER_MAX) continue
    let taken = 0
    let at = index
    for (const character of segment) {
      if (TAKES_ROOM.test(character)) {
        if (taken === CLUSTER_MAX) {
          pieces.push(text.slice(from, at))
          from = at
          taken = 0
        }
        taken += 1
      }
      at += character.length
    }
  }
  return [...pieces, text.slice(from)]
}
