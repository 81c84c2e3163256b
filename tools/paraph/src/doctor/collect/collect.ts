// Collects the facts of an installation. Every collector has its own time limits; this file limits the whole.
import { withTimeout } from '@paraph/protocol/deadline'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { Facts } from '../facts.js'
import type { Installation } from '../source/installation.js'
import { collectBrokers } from './brokers.js'
import { collectCertificates } from './certificates.js'
import { collectLogins } from './logins.js'
import { collectMail, MAIL_TOO_LATE, type TxtResolver } from './mail.js'
import { collectObjectStore } from './object-store.js'
import { isReservedName } from './reserved-name.js'
import { collectServices } from './services.js'
import { collectSettings } from './settings.js'

/** Longer than each collector takes against a server that never answers, except kafkajs, which repeats. */
const LIMIT_MS = 25_000

/** @param resolver looks up TXT records; by default with the name servers of this machine */
export async function collect(installation: Installation, resolver?: TxtResolver): Promise<Facts> {
  const known = SERVICES.flatMap((service) => {
    const found = installation.services[service]
    return found === undefined ? [] : [{ service, ...found }]
  })
  const within = <Result>(work: Promise<Result>, late: Result) => withTimeout(LIMIT_MS, work).catch(() => late)
  const settingsOf = (name: ServiceName) => known.find(({ service }) => service === name)?.settings
  const [notification, signing] = [settingsOf('notification'), settingsOf('signing')]
  const [settings, seals, logins, brokers, mail, objectStore, answers] = await Promise.all([
    Promise.all(known.map((each) => collectSettings(each, installation))),
    collectCertificates(known),
    collectLogins(known, installation),
    Promise.all(
      collectBrokers(known).map(({ work, ...user }) =>
        within(work, { failure: `The brokers gave no answer in ${LIMIT_MS / 1_000} s.` }).then((result) => ({
          ...user,
          result,
        })),
      ),
    ),
    notification && within(collectMail(notification, resolver), MAIL_TOO_LATE),
    signing && collectObjectStore(signing),
    collectServices(known),
  ])
  return {
    isTrial: known.some(({ settings: { BASE_URL, SHARE_BASE_URL } }) => isTrialUrl(BASE_URL ?? SHARE_BASE_URL)),
    // A container has the settings of its own service alone.
    absent: installation.isElsewhere ? SERVICES.filter((service) => !installation.services[service]) : [],
    settings,
    logins,
    brokers,
    mail: mail?.facts,
    objectStore,
    certificates: [...seals, ...(mail?.certificates ?? []), ...answers.certificates],
    services: answers.services,
  }
}

const isTrialUrl = (text: string | undefined): boolean => isReservedName(URL.parse(text ?? '')?.hostname ?? '')
