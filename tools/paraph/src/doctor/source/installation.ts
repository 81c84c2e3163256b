// The settings of an installation, as far as they are known on this machine. Holds secrets: no part of it is printed.
import type { DatabaseName } from '../../installation/secrets.js'
import type { ServiceName } from '@paraph/protocol/services'

/** The environment of one process. */
export type Settings = Readonly<Record<string, string>>

export interface ServiceSettings {
  /** The environment as the process gets it; a setting may be the name of a file, `X_FILE`. */
  given: Settings
  /** The same, with the content of the files that are on this machine. */
  settings: Settings
}

export interface Installation {
  services: Readonly<Partial<Record<ServiceName, ServiceSettings>>>
  /** The URLs of the roles that migrate. */
  owners: Readonly<Partial<Record<DatabaseName, string>>>
  /** The URLs of the role of `paraph verify`. */
  verifiers: Readonly<Partial<Record<DatabaseName, string>>>
  /** The settings are those of other machines, whose files are not here. */
  isElsewhere: boolean
}
