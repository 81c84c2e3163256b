// Settings from files: X_FILE names the file whose content is X, so that a secret is in no environment. [docs/reference/settings.md]
import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * `environment` with each setting of `names` that a file holds, without the line break at the file's end.
 * @returns also one line per error, in the form of `refuseToStart`, which contains neither the path nor the content
 */
export function readFileSettings(
  environment: Environment,
  names: readonly string[],
): { environment: Environment; errors: string[] } {
  const given = new Set(Object.keys(environment))
  const read: Record<string, string> = {}
  const errors: string[] = []
  for (const name of names.filter((each) => given.has(`${each}_FILE`))) {
    const file = environment[`${name}_FILE`] ?? ''
    if (given.has(name)) errors.push(`  ${name}: is given twice, as ${name} and as ${name}_FILE`)
    else
      try {
        read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      } catch {
        errors.push(`  ${name}_FILE: names no file that can be read`)
      }
  }
  return { environment: Object.keys(read).length === 0 ? environment : { ...environment, ...read }, errors }
}
