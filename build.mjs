// Builds one package: compiles each src/**/*.ts(x) to one dist/**/*.js, copies other files, and leaves tests out.
// swc does not check types; `npm run types` checks the whole tree.
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { transformFile } from '@swc/core'

const files = (await readdir('src', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !/\.test\.tsx?$/.test(file))

const written = new Set()
for (const file of files) {
  const target = join('dist', file.slice('src/'.length))
  await mkdir(dirname(target), { recursive: true })
  if (!/\.tsx?$/.test(file)) {
    await cp(file, target)
    written.add(target)
    continue
  }
  const { code, map } = await transformFile(file, {
    swcrc: false,
    sourceMaps: true,
    module: { type: 'es6' },
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', tsx: file.endsWith('.tsx') },
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    },
  })
  const output = target.replace(/\.tsx?$/, '.js')
  await writeFile(output, `${code}\n//# sourceMappingURL=${output.split('/').at(-1)}.map\n`)
  await writeFile(`${output}.map`, map ?? '')
  written.add(output).add(`${output}.map`)
}

// Delete stale files last, so that a process that starts during a build never finds an empty folder.
for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (entry.isFile() && !written.has(file)) await rm(file)
}
