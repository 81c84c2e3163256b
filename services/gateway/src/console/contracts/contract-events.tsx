// The events of a contract, from its evidence, and the files of the evidence.
import { Disclosure } from '@paraph/web/sheet'
import { Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { mayUse } from '../frame/page-props.js'
import type { ContractPageProps } from './contract-page-props.js'
import { contractMessages, eventMessages } from './messages.js'

export function Events({ page, environment, contract, timeZone, history }: ContractPageProps) {
  const { locale } = page
  const text = contractMessages(locale)
  if (!history) return <p>{text.eventsUnknown}</p>
  const at = to.contract(environment, contract.id)
  const isSealed = history.copies.state === 'ready'
  const isErased = contract.erasedAt !== null
  const downloads = [
    ['evidence', isSealed ? text.evidence : text.evidenceSoFar],
    ...(isErased ? [] : [['openings', text.openings]]),
  ]
  if (history.entries.length === 0) return <p>{text.noEvents}</p>
  return (
    <>
      <ol class="timeline">
        {history.entries.map(({ seq, type, at: instant, parties, decline }) => (
          <li key={seq} class={type === 'signature.accepted' ? 'is-ink' : undefined}>
            <span class="soft small">
              <Instant at={new Date(instant)} {...{ locale, timeZone }} seconds />
            </span>{' '}
            <span>
              <strong>{eventMessages(locale)[type]}</strong>{' '}
              {!isErased && <bdi>{parties.map(({ role }) => role ?? '').join(', ')}</bdi>}
            </span>
            {decline && (
              <span class="small">
                {text[decline.reason]}
                {decline.note !== null && (
                  <>
                    <br />
                    <q>
                      <bdi>{decline.note}</bdi>
                    </q>
                  </>
                )}
              </span>
            )}
          </li>
        ))}
      </ol>
      {mayUse(page, 'act', environment) && (
        <ul class="downloads">
          {downloads.map(([name, label]) => (
            <li key={name}>
              <a href={`${at}/${name}`}>{label}</a>
            </li>
          ))}
        </ul>
      )}
      <Disclosure summary={text.hashes}>
        <ul class="hashes mono">
          {history.entries.map(({ seq, hashStart }) => (
            <li key={seq}>{text.seq(seq, hashStart)}</li>
          ))}
        </ul>
      </Disclosure>
    </>
  )
}
