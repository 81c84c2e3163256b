// Whether anything changed since the last build, so that a start asks turbo only then: asking costs more than a second. [local-stack]
// Two marks, of what a build reads and of what it writes: path, size and time of change of every file. The one is taken before the
// build and the other after it, so that a file which is saved meanwhile makes the next start build. Plain JavaScript: nothing is built yet.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const FOLDERS = ['libs', 'services', 'deploy']
/** npm writes the last one when it installs packages, the compiler among them. */
const FILES = ['build.mjs', 'turbo.json', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json']

const stampOf = (root) => join(root, '.turbo', 'built.json')

/** True when the last build of this checkout read what is there now, and wrote what is there now. */
export async function isBuilt(root) {
  const kept = await readFile(stampOf(root), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (kept === undefined) return false
  const { inputs, outputs } = await readMarks(root)
  return kept.inputs === inputs && kept.outputs === outputs
}

/** Runs `build` and, when it resolves with true, keeps what it read and wrote. @returns what `build` said */
export async function buildAndStamp(root, build) {
  const { inputs } = await readMarks(root)
  const isDone = await build()
  if (isDone) await writeFile(stampOf(root), JSON.stringify({ inputs, outputs: (await readMarks(root)).outputs }))
  return isDone
}

async function readMarks(root) {
  const below = await Promise.all(FOLDERS.map((folder) => filesBelow(join(root, folder))))
  const marks = { inputs: createHash('sha256'), outputs: createHash('sha256') }
  const paths = [...FILES.map((file) => join(root, file)), ...below.flat()].sort()
  const facts = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  for (const [index, path] of paths.entries()) {
    const mark = path.includes(`${sep}dist${sep}`) ? marks.outputs : marks.inputs
    mark.update(`${relative(root, path)}\0${facts[index]?.size}\0${facts[index]?.mtimeMs}\n`)
  }
  return { inputs: marks.inputs.digest('hex'), outputs: marks.outputs.digest('hex') }
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map((entry) => {
      if (entry.name === 'node_modules' || entry.name === '.turbo') return []
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    }),
  )
  return found.flat()
}
