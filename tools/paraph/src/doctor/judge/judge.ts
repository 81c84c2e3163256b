// Judges the facts of an installation. Pure.
import type { Facts } from '../facts.js'
import type { Finding } from '../finding.js'
import { judgeBrokers } from './brokers.js'
import { judgeCertificates } from './certificates.js'
import { judgeClocks } from './clocks.js'
import { judgeDatabases } from './databases.js'
import { judgeMail } from './mail.js'
import { judgeObjectStore } from './object-store.js'
import { judgeServices } from './services.js'
import { judgeSettings } from './settings.js'

/** The findings, in the order in which an operator repairs: what a later one needs comes first. */
export const judge = (facts: Facts, now: Date): Finding[] => [
  ...judgeSettings(facts),
  ...judgeDatabases(facts.logins),
  ...judgeBrokers(facts.brokers),
  ...judgeServices(facts.services),
  ...(facts.mail ? judgeMail(facts.mail, facts.isTrial) : []),
  ...(facts.objectStore ? [judgeObjectStore(facts.objectStore)] : []),
  ...judgeCertificates(facts, now),
  ...judgeClocks(facts),
]
