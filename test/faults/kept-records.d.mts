// The types of kept-records.mjs, which Node runs without a build.
interface Kept {
  scenario: string
  bus: string
  rounds: number
  scale: number
  outcome: string
}

export function takeRecords<K extends Kept>(
  kept: readonly K[],
  records: readonly K[],
  options: { isWanted: (kept: K) => boolean; force: boolean },
): { next: K[]; notes: string[] }
