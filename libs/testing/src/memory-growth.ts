const MEBIBYTE = 1_048_576

/** The most memory that the process has while `work` runs, beyond what it has before. */
export async function growthOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; megabytes: number }> {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
  const result = await work().finally(() => clearInterval(timer))
  return { result, megabytes: (most - before) / MEBIBYTE }
}
