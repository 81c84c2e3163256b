// Finds the places where a line may break inside a long grapheme cluster. Pure. [ceremony: plain text]
// Conjoining jamo, virama chains and joined emoji form one cluster of any length. A browser does not break a line inside
// a cluster, and cuts off the part that does not fit on the page. No cluster of real text is that long.

/** Maximum of characters with a width in one cluster; a family emoji has four, the longest conjunct six. */
const CLUSTER_MAX = 8
/** Only characters that join a neighbour form a long cluster. */
const CAN_JOIN = /[\p{M}\p{Cf}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u0D4E\u{11000}-\u{11FFF}]/u
const HAS_WIDTH = /[^\p{Mn}\p{Me}\p{Cf}]/u
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The text in pieces between which a line may break; one piece if no cluster is long. */
export function cutLongClusters(text: string): string[] {
  if (text.length <= CLUSTER_MAX || !CAN_JOIN.test(text)) return [text]
  const pieces: string[] = []
  let from = 0
  for (const { segment, index } of clusters.segment(text)) {
    if (segment.length <= CLUSTER_MAX) continue
    let taken = 0
    let at = index
    for (const character of segment) {
      if (HAS_WIDTH.test(character)) {
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
