// What `paraph doctor` collects (collect/) and judges (judge/). Facts hold no secret: they leave the collectors as names, counts, codes and
// instants.
import type { DatabaseName } from '../installation/secrets.js'
import type { LoginInspection } from '@paraph/database/inspect-login'
import type { BrokerInspection } from '@paraph/messaging/kafka/inspect'
import type { SmtpFindings } from '@paraph/notification/smtp/mailer'
import type { ServiceName } from '@paraph/protocol/services'

type OrFailure<Inspection> = Inspection | { failure: string }

/** One login of a database, by the setting that holds it. */
export interface LoginFacts {
  database: DatabaseName
  /** The holder and the name of the setting, such as `gateway` and `DATABASE_URL`. */
  holder: string
  setting: string
  role: 'runtime' | 'owner' | 'verify'
  /** Every migration of the database in this version, in order. */
  migrations: readonly string[]
  result: OrFailure<LoginInspection>
}

/** The user of one service at the brokers. */
export interface BrokerFacts {
  service: ServiceName
  /** The topics that the service writes or reads. */
  topics: readonly string[]
  result: OrFailure<BrokerInspection>
}

/** `reserved`: a name such as example.com, which no DNS serves. `unanswered`: DNS gave no answer here. */
export type DnsResult = 'present' | 'absent' | 'several' | 'reserved' | 'unanswered'

export interface MailFacts {
  result: SmtpFindings
  isEncrypted: boolean
  needsLogin: boolean
  spf: DnsResult
  dkim: DnsResult
}

export interface ObjectStoreFacts {
  /** The code of what failed, without a value of the setting. */
  failure: string | undefined
}

export interface CertificateFacts {
  /** Such as `seal certificate`. */
  what: string
  beganAt: Date
  endsAt: Date
  isSelfSigned: boolean
  /** The keys of the seal are changed every three years, even if the certificate lasts longer. */
  isSeal: boolean
}

/** The clock of a machine minus this machine's, and the longest error of that. */
export interface Offset {
  offsetMs: number
  errorMs: number
}

export interface ServiceFacts {
  service: ServiceName
  result: OrFailure<{ clock: Offset | undefined }>
}

/** The settings of one service. */
export interface SettingsFacts {
  service: ServiceName
  /** What is wrong with a setting, each as `NAME: message`; without values. */
  errors: readonly string[]
  /** Settings whose file cannot be read on this machine. */
  unread: readonly string[]
  /** Secrets with so few different bytes that they are a placeholder. */
  samples: readonly string[]
  /** Settings whose URL has a password that is short or well known. */
  weakPasswords: readonly string[]
  /** Services and the operator whose key this service does not accept, although it must. */
  strangers: readonly string[]
}

export interface Facts {
  /** An installation that nobody outside reaches: its public URL is this machine or a reserved name. */
  isTrial: boolean
  /** Services that an installation needs, and that the given settings do not have. */
  absent: readonly ServiceName[]
  settings: readonly SettingsFacts[]
  logins: readonly LoginFacts[]
  brokers: readonly BrokerFacts[]
  mail: MailFacts | undefined
  objectStore: ObjectStoreFacts | undefined
  certificates: readonly CertificateFacts[]
  services: readonly ServiceFacts[]
}
