// `paraph secrets make`: creates every secret of a new installation, printed for Kubernetes or written as env files. [D45, D46]
// Keeps no copy of them.
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { needed, type Command } from '../command-line.js'
import { envFile, installationSecrets, kubernetesSecrets } from '../installation/installation-secrets.js'
import { writePrivateFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'
import { makePassword, makeSecrets } from '../installation/secrets.js'

/** A Kubernetes name with room for a suffix. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/
/** Characters with a meaning in an env file. In a URL each can be percent-encoded. */
const NEEDS_QUOTES = /['"\\$\s]/

export const secretsCommands: readonly Command[] = [
  {
    name: 'secrets make',
    purpose:
      'Makes every secret of a new installation. Prints Secrets for kubectl create -f -, or writes env files into a folder.',
    options: {
      format: { ...needed('kubernetes|env'), oneOf: ['kubernetes', 'env'] },
      postgres: needed('postgres://HOST:PORT/?sslmode=verify-full'),
      pooler: { value: 'postgres://HOST:PORT/' },
      smtp: { value: 'SMTP-URL' },
      'seal-name': { value: 'NAME' },
      name: { value: 'PREFIX' },
      into: { value: 'FOLDER' },
    },
    runAlone: async (
      _config,
      { format, postgres = '', pooler, smtp, 'seal-name': sealName, name = 'paraph', into },
    ) => {
      assertServer('postgres', postgres)
      if (pooler !== undefined) assertServer('pooler', pooler)
      if (smtp !== undefined && (!/^smtps?:\/\/./.test(smtp) || NEEDS_QUOTES.test(smtp)))
        throw new UserError(
          'smtp must be smtp://host:port or smtps://host:port, with user:password@ where the relay asks for it.',
        )
      if (!NAME.test(name))
        throw new UserError('--name must consist of at most 40 lower-case letters, digits and hyphens.')
      if (format === 'env' && into === undefined) throw new UserError('Name the folder of the env files with --into.')
      const secrets = await makeSecrets(sealName ?? 'Paraph')
      const documents = installationSecrets(secrets, { postgres, pooler, smtp }, makePassword())
      if (format === 'kubernetes') return { answer: documents, text: kubernetesSecrets(documents, name) }
      const folder = resolve(into!)
      // A new Postgres takes its superuser from these files, too.
      const files = { ...documents, postgres: { POSTGRES_PASSWORD: secrets.superuserPassword } }
      await writeFiles(folder, files)
      return {
        answer: { folder, files: Object.keys(files).map((file) => `${file}.env`) },
        text: `${Object.keys(files).length} files are in ${folder}. Keep a copy where no backup of a database lies: without them the data cannot be opened.`,
      }
    },
  },
]

function assertServer(option: string, text: string): void {
  const url = URL.parse(text)
  const isServer = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname && /^\/?$/.test(url.pathname)
  if (!isServer || url.username || url.password || NEEDS_QUOTES.test(text))
    throw new UserError(
      `${option} must be postgres://host:port/ with parameters such as ?sslmode=verify-full, and without user, password and database: they are put in.`,
    )
}

/** @throws UserError when files exist already: replaced secrets would no longer open the data */
async function writeFiles(folder: string, files: Record<string, Record<string, string>>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).some((file) => file.endsWith('.env')))
      throw new UserError(
        `There are env files in ${folder} already, and they stay: new secrets would not open the data. Name another folder.`,
      )
    for (const [file, document] of Object.entries(files))
      await writePrivateFile(join(folder, `${file}.env`), envFile(document))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      `The folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). Name another, or change its owner.`,
      { cause: error },
    )
  }
}
