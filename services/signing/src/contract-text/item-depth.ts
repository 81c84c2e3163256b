// The depth of an item: from the kinds of markers since the last heading, not from indentation. Pure.
import type { ItemKind, ItemShape } from './item.js'

const DEPTH_MAX = 4

/** Gives the depths of successive items, 1 to 4; call `reset` at a heading. */
export function createItemDepths() {
  let open: { kind: ItemKind; value: string }[] = []
  return {
    reset: () => void (open = []),
    depthOf(item: ItemShape): number {
      const kind = kindAmong(open, item)
      const known = open.findIndex((outer) => outer.kind === kind)
      open = [...open.slice(0, known < 0 ? open.length : known), { kind, value: item.value }]
      return Math.min(open.length, DEPTH_MAX)
    },
  }
}

/** (i) is a letter directly after (h), otherwise a Roman number; likewise v after u and x after w. */
function kindAmong(open: readonly { kind: ItemKind; value: string }[], item: ItemShape): ItemKind {
  if (item.kind !== 'roman' || item.value.length > 1) return item.kind
  const before = String.fromCharCode(item.value.charCodeAt(0) - 1)
  return open.find((outer) => outer.value === before)?.kind ?? item.kind
}
