// Reads the settings of an installation from `docker compose config --format json`. Pure.
import { SERVICES } from '@paraph/protocol/services'
import { z } from 'zod'
import { DATABASES } from '../../installation/secrets.js'
import type { Installation } from './installation.js'

const environment = z.record(z.string(), z.string().nullable()).default({})
export const composeSchema = z.object({ services: z.record(z.string(), z.object({ environment })) })

export function readCompose({ services }: z.infer<typeof composeSchema>): Installation {
  // Compose prints each $ of a value as $$, so that its output can be read again.
  const settingsOf = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).flatMap(([key, value]) =>
        value === null ? [] : [[key, value.replaceAll('$$', () => '$')]],
      ),
    )
  return {
    services: Object.fromEntries(
      SERVICES.flatMap((name) => {
        const settings = settingsOf(name)
        return services[name] ? [[name, { given: settings, settings }]] : []
      }),
    ),
    owners: Object.fromEntries(
      DATABASES.flatMap((name) => {
        const { DATABASE_OWNER_URL, BUS_OWNER_URL } = settingsOf(`migrate-${name}`)
        const url = DATABASE_OWNER_URL ?? BUS_OWNER_URL
        return url === undefined ? [] : [[name, url]]
      }),
    ),
    verifiers: {},
    isElsewhere: true,
  }
}
