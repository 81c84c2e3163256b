// Servers that a run starts once are stopped once: the set-ups of projects register their clean-up here.
type End = () => Promise<void>

const ends: End[] = []

export const atEnd = (end: End): number => ends.push(end)

export default async function teardown(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
