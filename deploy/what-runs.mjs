// Copies the files that a process reads at run time into a folder: third-party packages into `node_modules`, ours into `own`. Only
// this file decides what the image contains. Run it in the checkout's root, after a build and `npm ci --omit=dev --omit=optional`. [H14]
// Licences and notices stay, because the image redistributes the packages.
import { chmod, cp, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

const [, , target] = process.argv
if (!target) throw new Error('usage: node deploy/what-runs.mjs FOLDER')

const own = join(target, 'own')
const packages = join(target, 'node_modules')
await rm(target, { recursive: true, force: true })
await mkdir(own, { recursive: true })

/** Peer dependencies that are needed only for their types, files of tools, and a package manager that one package contains: 30 MB. */
const UNUSED = new Set(['typescript', '@types', '.bin', '.package-lock.json', '.yarn'])
const SOURCE_OR_DOCUMENT = /\.(?:map|ts|cts|mts|md|markdown|tsbuildinfo)$/i
const LICENCE = /licen[cs]e|notice|copying/i

// The signed PDF uses 11 of about 90 font files; leaving out the others saves 200 MB.
const faces = new Set(
  [...(await readFile('services/signing/dist/sealing/pdf/fonts.js', 'utf8')).matchAll(/[\w-]+\.ttf/g)].map(
    ([name]) => name,
  ),
)
if (faces.size === 0)
  throw new Error('services/signing/src/sealing/pdf/fonts.ts names no .ttf file: adapt deploy/what-runs.mjs')

const isReadAtRunTime = (path) => {
  const name = basename(path)
  if (UNUSED.has(name)) return false
  if (name.endsWith('.ttf')) return faces.has(name)
  return !SOURCE_OR_DOCUMENT.test(name) || LICENCE.test(name)
}

await cp('node_modules', packages, { recursive: true, verbatimSymlinks: true, filter: isReadAtRunTime })

// npm links the installed workspaces in this folder: the selected workspaces and those that they import.
for (const link of await readdir(join('node_modules', '@paraph'))) {
  const folder = relative(process.cwd(), await realpath(join('node_modules', '@paraph', link)))
  if (folder.startsWith('..')) throw new Error(`${folder} is outside this checkout`)
  for (const part of ['package.json', 'dist']) {
    await cp(join(folder, part), join(own, folder, part), { recursive: true })
  }
}
for (const file of [
  'package.json',
  'LICENSE',
  'tools/paraph/paraph.mjs',
  'tools/paraph/node-version.mjs',
  'deploy/databases.sql',
]) {
  await mkdir(join(own, dirname(file)), { recursive: true })
  await cp(file, join(own, file))
}

// For `kubectl exec deploy/paraph-gateway -- paraph …`: the image has no shell, so node is the interpreter.
const command = join(own, 'bin', 'paraph')
await mkdir(dirname(command), { recursive: true })
await writeFile(command, `#!/nodejs/bin/node\nimport('/app/tools/paraph/paraph.mjs')\n`)
await chmod(command, 0o755)

const entries = (await readdir(own)).filter((name) => name !== 'node_modules').sort()
process.stdout.write(`${[...entries.map((name) => name + sep), basename(packages) + sep].join(' ')} in ${target}\n`)
