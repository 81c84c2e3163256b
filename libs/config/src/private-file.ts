// Files that only we may read, replaced in one step: a reader sees the old or the new, never a part. A power loss may still
// leave one empty.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { Refusal } from './refusal.js'

/** Writes `path` with mode 0600 by a rename. */
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

/** The JSON in `path`, or undefined when there is no such file. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * What an earlier start has kept in `path`, or undefined when there is no such file.
 * @param remedy what a person can do when the file is broken, as a sentence
 * @throws Refusal that names the file when it does not hold what `schema` says
 */
export async function readKeptFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  remedy: string,
): Promise<z.infer<Schema> | undefined> {
  const broken = (cause: unknown) => new Refusal(`The file ${path} is broken. ${remedy}`, { cause })
  const kept = await readJsonFile(path).catch((error: unknown) => {
    throw error instanceof SyntaxError ? broken(error) : error
  })
  if (kept === undefined) return undefined
  const parsed = schema.safeParse(kept)
  if (!parsed.success) throw broken(parsed.error)
  return parsed.data
}
