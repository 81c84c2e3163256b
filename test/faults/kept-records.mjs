// What results.json holds after a run: the last word on each scenario and bus, and no word that is older than a failure. Pure.

const idOf = ({ scenario, bus }) => `${scenario} on ${bus}`

/**
 * Whole records in, whole records out; types in kept-records.d.mts.
 * @param kept what results.json holds
 * @param records of this run, in their order
 * @param options `isWanted`: this run was to play that row. `force`: a shorter run replaces a fuller one
 * @returns `next`: what results.json is to hold now; `notes`: what a person should be told of it
 */
export function takeRecords(kept, records, { isWanted, force }) {
  const last = new Map(records.map((record) => [idOf(record), record]))
  const notes = []
  const stays = kept.filter((old) => {
    const id = idOf(old)
    const record = last.get(id)
    if (!record) {
      if (isWanted(old)) notes.push(`${id}: was to run and left no line; its row of before is gone`)
      return !isWanted(old)
    }
    const isFuller = old.rounds > record.rounds || old.scale < record.scale
    // A failure is the last word however short the run was.
    if (force || !isFuller || record.outcome !== 'held') return false
    notes.push(`${id}: the row of a fuller run stays; --force replaces it`)
    last.delete(id)
    return true
  })
  return { next: [...stays, ...last.values()], notes }
}
