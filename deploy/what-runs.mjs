// Copies what a running process reads into a folder: `node_modules` of others, and `own`. The one place that says what is in the
// image. Run in the checkout's root, after a build and an `npm ci --omit=dev --omit=optional`. [H14]
// Licences and notices stay: the packages are passed on in this image.
import { chmod, cp, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

const [, , target] = process.argv
if (!target) throw new Error('Say into which folder: node deploy/what-runs.mjs FOLDER')

const own = join(target, 'own')
const packages = join(target, 'node_modules')
await rm(target, { recursive: true, force: true })
await mkdir(own, { recursive: true })

/** Peers for whose types alone they are asked, what types need, and a package manager that one package brings along. 30 MB. */
const NEVER_READ = new Set(['typescript', '@types', '.bin', '.package-lock.json', '.yarn'])
const READ_BY_PEOPLE_AND_COMPILERS = /\.(?:map|ts|cts|mts|md|markdown|tsbuildinfo)$/i
const PASSED_ON = /licen[cs]e|notice|copying/i

// Of 46 faces the sealed PDF names six: 20 MB less.
const faces = new Set(
  [...(await readFile('services/signing/dist/sealed-pdf/fonts.js', 'utf8')).matchAll(/[\w-]+\.ttf/g)].map(
    ([name]) => name,
  ),
)
if (faces.size === 0)
  throw new Error('services/signing/src/sealed-pdf/fonts.ts names no face any more: look here again')

const isReadAtRunTime = (path) => {
  const name = basename(path)
  if (NEVER_READ.has(name)) return false
  if (name.endsWith('.ttf')) return faces.has(name)
  return !READ_BY_PEOPLE_AND_COMPILERS.test(name) || PASSED_ON.test(name)
}

await cp('node_modules', packages, { recursive: true, verbatimSymlinks: true, filter: isReadAtRunTime })

// Whichever workspaces were installed are linked there: those that run, and what they import.
for (const link of await readdir(join('node_modules', '@paraph'))) {
  const folder = relative(process.cwd(), await realpath(join('node_modules', '@paraph', link)))
  if (folder.startsWith('..')) throw new Error(`${folder} is not in this checkout`)
  for (const part of ['package.json', 'dist']) {
    await cp(join(folder, part), join(own, folder, part), { recursive: true })
  }
}
for (const file of ['package.json', 'LICENSE', 'deploy/local/paraph.mjs']) {
  await mkdir(join(own, dirname(file)), { recursive: true })
  await cp(file, join(own, file))
}

// `kubectl exec deploy/paraph-gateway -- paraph …` without a shell: node is the interpreter.
const command = join(own, 'bin', 'paraph')
await mkdir(dirname(command), { recursive: true })
await writeFile(command, `#!/nodejs/bin/node\nimport('/app/deploy/local/paraph.mjs')\n`)
await chmod(command, 0o755)

const left = (await readdir(own)).filter((name) => name !== 'node_modules').sort()
process.stdout.write(`${[...left.map((name) => name + sep), basename(packages) + sep].join(' ')} in ${target}\n`)
