// Concurrent work on several rows, where the failure of one row must not delay the others.

/**
 * Works on all rows concurrently and waits for all.
 * @param onFailure called for each row that failed, unless all did
 * @returns how many rows succeeded
 * @throws the first failure when every row failed: then the cause is not a single row, and the caller's loop backs off
 */
export async function settleAll<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
  onFailure: (error: unknown, row: Row) => void,
): Promise<number> {
  const failures: { error: unknown; row: Row }[] = []
  await Promise.all(rows.map((row) => work(row).catch((error: unknown) => failures.push({ error, row }))))
  const [first] = failures
  if (first && failures.length === rows.length) throw first.error
  for (const { error, row } of failures) onFailure(error, row)
  return rows.length - failures.length
}
