// jest.config.mjs assigns test files to projects by patterns. A file that matches no pattern would never run.
import { execFileSync } from 'node:child_process'
import { matchesGlob } from 'node:path'
import { expect, it } from '@jest/globals'

interface Project {
  displayName: string
  testMatch: string[]
}

const config = (await import(new URL('../../jest.config.mjs', import.meta.url).href)) as {
  default: { projects: Project[] }
}
const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { encoding: 'utf8' }).trim().split('\n')
/** Files outside the projects of `config`: tests that need a cluster, and the conformance check that follows the other tests. */
const BY_NAME = /\.cluster\.test\.ts$|conformance\.run\.test\.ts$/

const takes = ({ testMatch }: Project, file: string): boolean => {
  const [without, wanted] = [
    testMatch.filter((glob) => glob.startsWith('!')),
    testMatch.filter((glob) => !glob.startsWith('!')),
  ]
  return wanted.some((glob) => matchesGlob(file, glob)) && !without.some((glob) => matchesGlob(file, glob.slice(1)))
}

it('every test file belongs to exactly one project', () => {
  const misplaced = files
    .filter((file) => !BY_NAME.test(file))
    .map((file) => ({
      file,
      projects: config.default.projects.filter((each) => takes(each, file)).map((each) => each.displayName),
    }))
    .filter(({ projects }) => projects.length !== 1)
  expect(misplaced).toEqual([])
})
