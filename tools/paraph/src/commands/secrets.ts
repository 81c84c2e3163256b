// `paraph secrets make`: creates every secret of a new installation, printed for Kubernetes or written as env files. [D45, D46]
// Stores no copy of printed secrets.
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { needed, type Command } from '../command.js'
import { envFile, installationSecrets, kubernetesSecrets } from '../installation/installation-secrets.js'
import { writePrivateFile } from '@paraph/config/private-file'
import { UserError } from '@paraph/config/refusal'
import { makePassword, makeSecrets } from '../installation/secrets.js'

/** A Kubernetes name that leaves space for a suffix. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/
/** Characters with a special meaning in an env file. A URL can contain them percent-encoded. */
const NEEDS_QUOTES = /['"\\$\s]/

export const secretsCommands: readonly Command[] = [
  {
    name: 'secrets make',
    purpose:
      'Creates every secret of a new installation. Prints Secrets for kubectl create -f -, or writes env files into a folder.',
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
          'smtp must be smtp://host:port or smtps://host:port, with user:password@ if the SMTP server requires a login.',
        )
      if (!NAME.test(name))
        throw new UserError('--name must consist of at most 40 lower-case letters, digits and hyphens.')
      if (format === 'env' && into === undefined) throw new UserError('Name the folder of the env files with --into.')
      const secrets = await makeSecrets(sealName ?? 'Paraph')
      const documents = installationSecrets(secrets, { postgres, pooler, smtp }, makePassword())
      if (format === 'kubernetes') return { answer: documents, text: kubernetesSecrets(documents, name) }
      const folder = resolve(into!)
      // Compose starts a new Postgres with the superuser's password in postgres.env.
      const files = { ...documents, postgres: { POSTGRES_PASSWORD: secrets.superuserPassword } }
      await writeFiles(folder, files)
      return {
        answer: { folder, files: Object.keys(files).map((file) => `${file}.env`) },
        text: `Wrote ${Object.keys(files).length} files to ${folder}. Keep a copy apart from the database backups: without these secrets the data cannot be decrypted.`,
      }
    },
  },
]

function assertServer(option: string, text: string): void {
  const url = URL.parse(text)
  const isServer = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.hostname && /^\/?$/.test(url.pathname)
  if (!isServer || url.username || url.password || NEEDS_QUOTES.test(text))
    throw new UserError(
      `${option} must be postgres://host:port/ with parameters such as ?sslmode=verify-full, and without user, password and database, which the command adds.`,
    )
}

/** @throws UserError when the folder contains env files already: new secrets cannot decrypt the data of an installation */
async function writeFiles(folder: string, files: Record<string, Record<string, string>>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).some((file) => file.endsWith('.env')))
      throw new UserError(
        `${folder} already contains env files, which are not overwritten: new secrets cannot decrypt the existing data. Name another folder.`,
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
