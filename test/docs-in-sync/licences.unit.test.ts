// Checks that the licence of every package in the lock file lets an Apache-2.0 project use and redistribute the package. [Supply chain]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Locked {
  version?: string
  license?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** These licences require a notice at most, and put no condition on our code. */
const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  // The licence of the fonts. We redistribute the fonts unchanged with this licence, which lets anybody embed them in documents.
  'OFL-1.1',
  'Zlib',
  'CC0-1.0',
])

/** Package → its licence and the reason for the exception. None of these is in the image. */
const EXCEPTIONS: Readonly<Record<string, { licence: string; because: string }>> = {
  'axe-core': { licence: 'MPL-2.0', because: 'checks our pages in tests, unchanged, and is not passed on' },
  'caniuse-lite': { licence: 'CC-BY-4.0', because: 'data that jest brings for babel, unchanged, and is not passed on' },
  'fast-sha256': { licence: 'Unlicense', because: 'hashes for standardwebhooks, which only tests use' },
}
/** Package → licence by its file LICENSE, because its manifest names none. */
const UNDECLARED: Readonly<Record<string, string>> = { 'png-js@2.0.0': 'MIT' }

/** Every name in an SPDX expression: all must be permissive, even in a choice. */
const namesIn = (licence: string): string[] => licence.split(/[()\s]+|\b(?:AND|OR)\b/).filter((name) => name !== '')
const isPermissive = (licence: string): boolean => namesIn(licence).every((name) => PERMISSIVE.has(name))
const licenceOf = (path: string): string => {
  const { license, version } = packages[path]!
  return license ?? UNDECLARED[`${nameOf(path)}@${version}`] ?? 'none'
}
const others = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path]) => path)

/** All dependencies of the workspaces of the image, as Node resolves them, from the nearest folder up. */
function inImage(): Set<string> {
  const words = /^ENV RUN_WORKSPACES="([^"]*)"/m.exec(read('deploy/Dockerfile'))![1]!
  const found = new Set<string>()
  const visit = (path: string): void => {
    const { dependencies, peerDependencies } = packages[path]!
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      let folder = path
      let target = `${folder}/node_modules/${name}`
      while (packages[target] === undefined && folder !== '') {
        folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : ''
        target = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      }
      const locked = packages[target]
      if (locked === undefined) continue
      const real = locked.link ? locked.resolved! : target
      if (found.has(real)) continue
      found.add(real)
      visit(real)
    }
  }
  for (const workspace of words.replaceAll('-w ', '').split(' ')) visit(workspace)
  return found
}

it('every package has a known licence, which is permissive or an exception with a reason [Supply chain]', () => {
  const refused = others
    .filter((path) => !isPermissive(licenceOf(path)))
    .filter((path) => EXCEPTIONS[nameOf(path)]?.licence !== licenceOf(path))
  expect(refused.map((path) => `${nameOf(path)}: ${licenceOf(path)}`)).toEqual([])
  expect(others.length).toBeGreaterThan(300)
})

it('the image contains only packages with permissive licences, without exception [Supply chain]', () => {
  const passedOn = [...inImage()].filter((path) => path.includes('node_modules/'))
  expect(passedOn.length).toBeGreaterThan(200)
  expect(passedOn.filter((path) => !isPermissive(licenceOf(path))).map(nameOf)).toEqual([])
})

it('the lists of exceptions and of undeclared licences contain no unused entry [Supply chain]', () => {
  const names = others.map(nameOf)
  expect(Object.keys(EXCEPTIONS).filter((name) => !names.includes(name))).toEqual([])
  const undeclared = others.filter((path) => packages[path]!.license === undefined)
  expect(undeclared.map((path) => `${nameOf(path)}@${packages[path]!.version}`)).toEqual(Object.keys(UNDECLARED))
})

it('the packages come from the registry alone, each with its hash and a fixed version [Supply chain]', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { integrity?: string }> }
  expect(others.filter((path) => !lock.packages[path]!.integrity?.startsWith('sha512-'))).toEqual([])
  const manifests = Object.keys(packages).filter((path) => !path.includes('node_modules'))
  const loose = manifests.flatMap((folder) => {
    const { dependencies, devDependencies } = JSON.parse(read(join(folder, 'package.json'))) as Record<
      string,
      Record<string, string> | undefined
    >
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name]) => `${folder || 'the root'}: ${name}`)
  })
  expect(loose).toEqual([])
})
