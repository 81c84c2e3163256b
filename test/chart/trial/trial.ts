// The chart of the trial, and the Secrets that its setup creates. Contains no assertions.
import { fileURLToPath } from 'node:url'
import { installationSecrets } from '@paraph/paraph/installation/installation-secrets'
import { makeSecrets } from '@paraph/paraph/installation/secrets'

export const TRIAL = fileURLToPath(new URL('../../../charts/paraph-trial', import.meta.url))
export const SERVICES = ['contract', 'gateway', 'notification', 'signing']

const documents = installationSecrets(await makeSecrets(), { postgres: 'postgres://db:5432/', smtp: 'smtp://m' }, 'x')
/** The documents of `paraph secrets make`. */
export const DOCUMENTS = Object.keys(documents)
/** Every Secret of the trial, with its keys. */
export const SECRETS: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(Object.entries(documents).map(([name, keys]) => [`paraph-${name}`, Object.keys(keys)])),
  'paraph-trial': ['documents'],
  'paraph-sandbox-key': ['SANDBOX_KEY'],
}
