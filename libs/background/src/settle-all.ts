// Work on several rows at once, where one that fails must not hold up the others.

/**
 * Works on every row at the same time and waits for all.
 * @param note called for each row that failed, unless all did
 * @returns how many were done
 * @throws the first failure when not one could be done: then it is no row's fault, and the loop backs off
 */
export async function allAtOnce<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
  note: (error: unknown, row: Row) => void,
): Promise<number> {
  const results = await Promise.allSettled(rows.map(work))
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ error: result.reason as unknown, row: rows[index]! }] : [],
  )
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]!.error
  for (const { error, row } of failures) note(error, row)
  return rows.length - failures.length
}
