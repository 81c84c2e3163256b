// Concurrent work on several rows, where one failure must not hold up the others.

/**
 * Works on all rows concurrently and waits for all.
 * @param onFailure called for each row that failed, unless all did
 * @returns how many rows succeeded
 * @throws the first failure when every row failed: the cause is then no single row, and the loop backs off
 */
export async function settleAll<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
  onFailure: (error: unknown, row: Row) => void,
): Promise<number> {
  const results = await Promise.allSettled(rows.map(work))
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ error: result.reason as unknown, row: rows[index]! }] : [],
  )
  if (failures.length > 0 && failures.length === rows.length) throw failures[0]!.error
  for (const { error, row } of failures) onFailure(error, row)
  return rows.length - failures.length
}
