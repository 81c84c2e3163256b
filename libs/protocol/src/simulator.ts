// Addresses of the sandbox that act by themselves, so that a client can test without a mailbox. Pure. [D63]
import { mailboxOf } from './text-rules.js'

/** Reserved by RFC 2606, so that no mail can ever reach it. */
export const SIMULATOR_DOMAIN = 'simulator.test'
const AFTER_SECONDS_MAX = 600

export type SimulatedAct =
  { act: 'signs'; afterSeconds: number } | { act: 'declines' } | { act: 'refuses' } | { act: 'never' }

/**
 * What the party of an address does: signs, has a mailbox that refuses mail, or does nothing. A tag after `+` has no meaning.
 * @returns undefined for an address of another domain, `unknown` for a name without a meaning
 */
export function simulatedActOf(email: string): SimulatedAct | 'unknown' | undefined {
  const [, name] = /^([^+]*)(?:\+.*)?@simulator\.test$/.exec(mailboxOf(email)) ?? []
  if (name === undefined) return undefined
  if (name === 'signs') return { act: 'signs', afterSeconds: 0 }
  if (name === 'declines' || name === 'refuses' || name === 'never') return { act: name }
  const afterSeconds = Number(/^signs-after-(\d{1,3})s$/.exec(name)?.[1] ?? Number.NaN)
  return afterSeconds <= AFTER_SECONDS_MAX ? { act: 'signs', afterSeconds } : 'unknown'
}

const NAMES = `signs@, signs-after-60s@ (up to ${AFTER_SECONDS_MAX}), declines@, refuses@ and never@, each with a tag such as signs+buyer@`

/** One issue for each party at SIMULATOR_DOMAIN that cannot be in a contract of `environment`. @param body of POST /contracts, unchecked */
export function simulatorErrors(
  body: Record<string, unknown>,
  environment: string,
): { path: string; message: string }[] {
  const { parties } = body
  if (!Array.isArray(parties)) return []
  return parties.flatMap((party: unknown, index) => {
    const email = (party as { email?: unknown } | null)?.email
    const act = typeof email === 'string' ? simulatedActOf(email) : undefined
    const path = `parties[${index}].email`
    if (act === undefined) return []
    if (environment !== 'sandbox')
      return [
        {
          path,
          message: `${SIMULATOR_DOMAIN} is for the sandbox alone. Use a sandbox key, or the address of a person.`,
        },
      ]
    return act === 'unknown' ? [{ path, message: `${SIMULATOR_DOMAIN} has the addresses ${NAMES}.` }] : []
  })
}
