// Files with mode 0600 that are replaced atomically: a reader sees the old or the new content. After a power loss, a file may be empty.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { UserError } from './refusal.js'

/** Writes `path` with mode 0600: renames a new file. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The JSON in `path`; undefined if there is no such file. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The content of `path`, checked against `schema`; undefined if there is no such file.
 * @param remedy a sentence that states what to do with a broken file
 * @throws UserError that names the file if its content is invalid
 */
export async function readPrivateFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  remedy: string,
): Promise<z.infer<Schema> | undefined> {
  const broken = (cause: unknown) => new UserError(`The file ${path} is broken. ${remedy}`, { cause })
  const content = await readJsonFile(path).catch((error: unknown) => {
    throw error instanceof SyntaxError ? broken(error) : error
  })
  if (content === undefined) return undefined
  const parsed = schema.safeParse(content)
  if (!parsed.success) throw broken(parsed.error)
  return parsed.data
}
