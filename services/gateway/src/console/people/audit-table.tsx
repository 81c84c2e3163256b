// The audit log of one account, or of all, as a table, and its messages in English and Canadian French.
import type { Locale } from '@paraph/web/locale'
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { AuditEntry, Act } from '../../accounts/audit.js'
import type { ActorKind } from '../../database.js'
import { accountMessages } from './messages.js'
import { Instant, type PageProps } from '../frame/console-frame.js'
import { to } from '../frame/links.js'
import { ActionLinks, DataTable } from '../frame/parts.js'

/** @param withAccounts shows the account of each entry, for the operator */
export function AuditTable(props: {
  locale: Locale
  entries: readonly AuditEntry[]
  timeZone?: string | undefined
  withAccounts?: boolean
}) {
  const { locale, entries, timeZone, withAccounts = false } = props
  const text = accountMessages(locale)
  return (
    <DataTable
      label={text.record}
      heads={[text.when, text.who, text.what, text.details]}
      rows={entries.map((entry) => ({
        id: String(entry.id),
        cells: [
          <Instant at={entry.at} {...{ locale, timeZone }} seconds />,
          <>
            {entry.mailbox !== null && (
              <span class="unbroken">
                <bdi>{entry.mailbox}</bdi>
              </span>
            )}
            <span class="sub">
              {actors(locale)[entry.actor]}
              {entry.actorName !== null && (
                <>
                  {' '}
                  (<bdi>{entry.actorName}</bdi>)
                </>
              )}
            </span>
          </>,
          acts(locale)[entry.act],
          <>
            {entry.subject !== null && <span class="mono sub">{entry.subject}</span>}
            <span class="sub">
              <bdi>{actDetails(entry)}</bdi>
            </span>
            {withAccounts && entry.accountId !== null && (
              <a class="sub" href={to.operator.account(entry.accountId)}>
                {entry.accountId}
              </a>
            )}
          </>,
        ],
      }))}
    />
  )
}

/** The link to the next page of a log. @param props.older id of the last entry on this page; undefined on the last page */
export function OlderLink({
  page: { locale },
  href,
  older,
}: {
  page: PageProps
  href: string
  older: number | undefined
}) {
  const link = { href: `${href}?before=${older}`, text: accountMessages(locale).older }
  return <ActionLinks links={[older !== undefined && link]} />
}

const acts = createDictionary<Record<Act, Translated>>({
  'application.sent': { en: 'Sent an application', fr: 'A envoyé une demande' },
  'application.changed': { en: 'Changed the application', fr: 'A modifié la demande' },
  'application.withdrawn': { en: 'Withdrew the application', fr: 'A retiré la demande' },
  'application.approved': { en: 'Approved the application', fr: 'A approuvé la demande' },
  'application.refused': { en: 'Refused the application', fr: 'A refusé la demande' },
  'account.created': { en: 'Created the account', fr: 'A créé le compte' },
  'account.changed': { en: 'Changed settings', fr: 'A modifié des réglages' },
  'account.renamed': { en: 'Renamed the account', fr: 'A renommé le compte' },
  'account.suspended': { en: 'Suspended the account', fr: 'A suspendu le compte' },
  'account.resumed': { en: 'Resumed the account', fr: 'A rétabli le compte' },
  'account.exported': { en: 'Downloaded the export', fr: 'A téléchargé l’exportation' },
  'plan.chosen': { en: 'Chose a plan', fr: 'A choisi un forfait' },
  'subscription.granted': { en: 'Opened a subscription', fr: 'A ouvert un abonnement' },
  'subscription.ended': { en: 'Ended the subscription', fr: 'A mis fin à l’abonnement' },
  'quota.stopped': { en: 'Switched “Stop at quota” on', fr: 'A activé «\u00A0Arrêter au quota\u00A0»' },
  'quota.served': { en: 'Switched “Stop at quota” off', fr: 'A désactivé «\u00A0Arrêter au quota\u00A0»' },
  'owner.invited': { en: 'Invited an owner', fr: 'A invité un responsable' },
  'owner.joined': { en: 'Became an owner', fr: 'Est devenu responsable' },
  'owner.removed': { en: 'Removed an owner', fr: 'A retiré un responsable' },
  'owner.signed_out_everywhere': { en: 'Signed out everywhere', fr: 'S’est déconnecté partout' },
  'session.opened': { en: 'Signed in', fr: 'S’est connecté' },
  'session.ended': { en: 'Ended a session', fr: 'A mis fin à une session' },
  'code.refused': {
    en: 'Five wrong codes were typed for this address',
    fr: 'Cinq codes erronés ont été entrés pour cette adresse',
  },
  'code.locked': {
    en: '20 wrong codes were typed for this address in a day',
    fr: '20 codes erronés ont été entrés pour cette adresse en une journée',
  },
  'reply_address.confirmed': { en: 'Confirmed where answers go', fr: 'A confirmé où vont les réponses' },
  'reply_address.removed': { en: 'Removed where answers go', fr: 'A retiré l’adresse des réponses' },
  'key.created': { en: 'Created a key', fr: 'A créé une clé' },
  'key.rotated': { en: 'Rotated a key', fr: 'A renouvelé une clé' },
  'key.revoked': { en: 'Revoked a key', fr: 'A révoqué une clé' },
  'contract.cancelled': { en: 'Cancelled a contract', fr: 'A annulé un contrat' },
  'contract.erasure_requested': { en: 'Asked to erase a contract', fr: 'A demandé d’effacer un contrat' },
  'contract.kept': { en: 'Kept a contract that would be erased', fr: 'A gardé un contrat qui allait être effacé' },
  'contract.erased': { en: 'Erased a contract', fr: 'A effacé un contrat' },
  'contract.held': { en: 'Forbade to erase a contract', fr: 'A interdit d’effacer un contrat' },
  'contract.released': { en: 'Allowed again to erase a contract', fr: 'A permis de nouveau d’effacer un contrat' },
  'invitation.sent_again': { en: 'Sent an invitation again', fr: 'A renvoyé une invitation' },
  'operator.read': { en: 'Looked at data', fr: 'A consulté des données' },
  'evidence.downloaded': { en: 'Downloaded evidence', fr: 'A téléchargé des preuves' },
})

const actors = createDictionary<Record<ActorKind, Translated>>({
  owner: { en: 'Owner', fr: 'Responsable' },
  operator: { en: 'Operator', fr: 'Exploitant' },
  command_line: { en: 'Operator, on the command line', fr: 'Exploitant, en ligne de commande' },
  service: { en: 'The installation itself', fr: 'L’installation elle-même' },
})

/** The details of an entry, for example `tier growth, status active`; empty without details. */
const actDetails = ({ facts }: AuditEntry): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
