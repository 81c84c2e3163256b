// Merges a run into results.json, which has the last result of each scenario and bus. A fuller one stays unless the new one failed. Pure.

const idOf = ({ scenario, bus }) => `${scenario} on ${bus}`

/**
 * Takes and returns whole records; their types are in kept-records.d.mts.
 * @param kept the records of results.json
 * @param records the records of this run, in their order
 * @param options `isWanted`: whether this run included the scenario of a row. `force`: a shorter run replaces a fuller one
 * @returns `next`: the new records of results.json; `notes`: messages for a person
 */
export function takeRecords(kept, records, { isWanted, force }) {
  const last = new Map(records.map((record) => [idOf(record), record]))
  const notes = []
  const stays = kept.filter((old) => {
    const id = idOf(old)
    const record = last.get(id)
    if (!record) {
      if (isWanted(old)) notes.push(`${id}: was scheduled and has no result; its previous row is removed`)
      return !isWanted(old)
    }
    const isFuller = old.rounds > record.rounds || old.scale < record.scale
    // A failure replaces any earlier row, however short the run was.
    if (force || !isFuller || record.outcome !== 'held') return false
    notes.push(`${id}: the row of a fuller run stays; --force replaces it`)
    last.delete(id)
    return true
  })
  return { next: [...stays, ...last.values()], notes }
}
