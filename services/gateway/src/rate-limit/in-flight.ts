// Counts what is in progress, by name. In memory; a name without anything in progress takes none.

/** A name, and how much may be in progress under it. */
export type Place = readonly [name: string, max: number]

export function createInFlight() {
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  const isFull = (places: readonly Place[]): boolean => places.some(([name, max]) => count(name) >= max)

  function add(name: string, by: 1 | -1): void {
    const now = count(name) + by
    if (now === 0) counts.delete(name)
    else counts.set(name, now)
  }

  return {
    isFull,
    /** Takes one place under each name and returns a function that gives them back; takes none and returns undefined if one is full. */
    take(places: readonly Place[]): (() => void) | undefined {
      if (isFull(places)) return undefined
      for (const [name] of places) add(name, 1)
      return () => {
        for (const [name] of places) add(name, -1)
      }
    },
    /** The number of names with something in progress. */
    size: () => counts.size,
  }
}
