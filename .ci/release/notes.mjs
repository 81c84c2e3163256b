// Prints the notes of one version, from its section `## VERSION - DATE` of CHANGELOG.md in the current folder:
//   node .ci/release/notes.mjs 2.1.0 https://…/blob/v2.1.0/
// Links within the repository begin with the second argument, because the notes stand on a page of their own. Fails without a section, or
// with an empty one: a release without notes is a mistake.
import { readFileSync } from 'node:fs'

const [version, base] = process.argv.slice(2)
if (base === undefined) throw new Error('usage: node .ci/release/notes.mjs VERSION BASE-URL')

const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
const section = sections.find((each) => /^\d/.test(each) && each.split(/\s/, 1)[0] === version)
const notes = section?.slice(section.indexOf('\n')).trim()
if (!notes) {
  process.stderr.write(
    `CHANGELOG.md has no notes of ${version}: give its section "Unreleased" the heading "## ${version} - DATE".\n`,
  )
  process.exit(1)
}
process.stdout.write(`${notes.replaceAll(/\]\((?![a-z]+:|#)/g, `](${base}`)}\n`)
