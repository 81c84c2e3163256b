// How deep an item lies among its neighbours: by the kinds of markers met since the last heading, not by indentation. PURE.
import type { ItemKind, ItemShape } from './item.js'

const DEPTH_MAX = 4

/** Tells the depth of one item after the other, 1 to 4; `startOver` at a heading. */
export function createItemDepths() {
  let open: { kind: ItemKind; value: string }[] = []
  return {
    startOver: () => void (open = []),
    depthOf(item: ItemShape): number {
      const kind = kindAmong(open, item)
      const known = open.findIndex((outer) => outer.kind === kind)
      open = [...open.slice(0, known < 0 ? open.length : known), { kind, value: item.value }]
      return Math.min(open.length, DEPTH_MAX)
    },
  }
}

/** (i) is a letter right after (h), else a Roman number; the same with u and v, w and x. */
function kindAmong(open: readonly { kind: ItemKind; value: string }[], item: ItemShape): ItemKind {
  if (item.kind !== 'roman' || item.value.length > 1) return item.kind
  const before = String.fromCharCode(item.value.charCodeAt(0) - 1)
  return open.find((outer) => outer.value === before)?.kind ?? item.kind
}
