// An entry of the audit log in words: a sentence, and a line for each further detail.
import type { ComponentChildren } from 'preact'
import { ACCOUNT_ROLES } from '@paraph/protocol/account-role'
import { formatInstant } from '@paraph/web/dates'
import type { Locale } from '@paraph/web/locale'
import { isolateNames } from '@paraph/web/names-in-words'
import type { Act, AuditEntry } from '../../accounts/audit.js'
import { frameMessages, roleMessages, tierName } from '../frame/messages.js'
import { OPERATOR_SECTIONS } from '../frame/page-props.js'
import { actMessages, factMessages } from './act-messages.js'
import { browserNameOf } from './browser-name.js'
import { accountMessages } from './messages.js'

interface ActTextProps {
  entry: AuditEntry
  locale: Locale
  timeZone?: string | undefined
}

/** The facts in the sentence of an act, in the order of its parameters. */
const SENTENCE_FACTS: Partial<Record<Act, readonly string[]>> = {
  'account.created': ['tier'],
  'account.renamed': ['name'],
  'plan.chosen': ['tier'],
  'subscription.granted': ['tier'],
  'subscription.ended': ['tier'],
  'owner.invited': ['owner', 'role'],
  'owner.removed': ['owner'],
  'owner.role_changed': ['owner', 'role'],
  'reply_address.confirmed': ['address'],
  'passkey.added': ['name'],
  'passkey.reset': ['owner'],
  'key.created': ['name', 'environment'],
  'key.revoked': ['name', 'environment'],
}

export function ActSentence({ entry, locale, timeZone }: ActTextProps) {
  const { act, facts } = entry
  const sentence: string | ((...values: string[]) => string) = actMessages(locale)[act]
  if (typeof sentence === 'string') return <>{sentence}</>
  const values = (SENTENCE_FACTS[act] ?? []).map((name) => factText(name, facts[name] ?? '', { locale, timeZone }))
  return <>{isolateNames(sentence, ...values)}</>
}

/** The sentence of an act without its facts. */
export function actLabel(act: Act, locale: Locale): string {
  const sentence: string | ((...values: string[]) => string) = actMessages(locale)[act]
  return typeof sentence === 'string' ? sentence : sentence('…', '…')
}

/** Lines below the sentence. */
export function actDetails({ entry, locale, timeZone }: ActTextProps): ComponentChildren[] {
  const { act, facts } = entry
  const messages = factMessages(locale)
  const lines: ComponentChildren[] = []
  for (const [name, value] of Object.entries(facts)) {
    // A session's reason is a word of ours, which the sentence makes superfluous.
    if (value === null || !isDetail(name, messages) || act === 'session.ended' || act === 'session.withdrawn') continue
    lines.push(isolateNames(messages[name], factText(name, value, { locale, timeZone })))
  }
  const subject = subjectOf(entry, locale)
  return subject === undefined ? lines : [...lines, subject]
}

const isDetail = <Messages extends object>(name: string, messages: Messages): name is keyof Messages & string =>
  Object.hasOwn(messages, name)

/** The contract of an act, or what an operator read. Keys and applications have their name in the sentence, or are the only ones. */
function subjectOf({ act, subject, accountId }: AuditEntry, locale: Locale): ComponentChildren {
  if (subject === null || subject === accountId) return undefined
  const list = OPERATOR_SECTIONS.find((section) => section === subject)
  if (list) return frameMessages(locale)[list]
  const isOnContract =
    act.startsWith('contract.') ||
    act === 'invitation.sent_again' ||
    act === 'party.readdressed' ||
    act === 'evidence.downloaded'
  return isOnContract || act === 'operator.read' || act === 'report.handled' ? (
    <span class="mono">{subject}</span>
  ) : undefined
}

/** A fact in words. */
function factText(
  name: string,
  value: string | number | boolean,
  { locale, timeZone }: Pick<ActTextProps, 'locale' | 'timeZone'>,
): string {
  const fact = String(value)
  const text = accountMessages(locale)
  switch (name) {
    case 'tier':
      return tierName(fact)
    case 'role':
      return roleMessages(locale)[ACCOUNT_ROLES.find((role) => role === fact) ?? 'owner']
    case 'environment':
      return frameMessages(locale)[fact === 'production' ? 'production' : 'sandbox']
    case 'periodEnd':
    case 'endsAt':
      return formatInstant(new Date(fact), locale, { timeZone })
    case 'language':
      return fact === 'en' ? text.english : fact === 'fr' ? text.french : text.both
    case 'mailsRefused':
    case 'mailsDeclined':
      return fact === 'true' ? text.now : text.off
    case 'mailsExpired':
      return fact === 'true' ? text.daily : text.off
    case 'mailsCompleted':
      return fact === 'each' ? text.each : fact === 'daily' ? text.daily : text.off
    case 'remindsParties':
      return fact === 'true' ? text.remind : text.remindNobody
    case 'cancelsOnDecline':
      return fact === 'true' ? text.cancel : text.keep
    case 'browser':
      return browserNameOf(fact, locale)
    default:
      return fact
  }
}
