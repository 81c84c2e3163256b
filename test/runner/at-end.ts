// The clean-up at the end of a test run: the set-ups of jest projects register functions that stop servers and delete folders.
type End = () => Promise<void>

const ends: End[] = []

export const atEnd = (end: End): number => ends.push(end)

export default async function teardown(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
