// Detects changes since the last build, so that a start runs turbo only if needed: turbo takes more than a second. [local-stack]
// Compares two hashes of the path, size and modification time of every file: of the inputs before the build, and of the outputs after it.
// So a file that is saved during a build triggers the next build. Plain JavaScript, because nothing is built yet.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const FOLDERS = ['libs', 'services', 'tools', 'deploy']
/** npm writes node_modules/.package-lock.json whenever it installs packages, including the compiler. */
const FILES = ['build.mjs', 'turbo.json', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json']

const stampOf = (root) => join(root, '.turbo', 'built.json')

/** True when inputs and outputs are unchanged since the last build of this checkout. */
export async function isBuilt(root) {
  const kept = await readFile(stampOf(root), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (kept === undefined) return false
  const { inputs, outputs } = await readMarks(root)
  return kept.inputs === inputs && kept.outputs === outputs
}

/** Runs `build` and, when it resolves with true, stores both hashes. @returns the result of `build` */
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
