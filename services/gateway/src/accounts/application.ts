// An application for access: its form and its states. Pure. [Authentication, D14, D38]
import { z } from 'zod'
import { CONTRACT_TYPES, type ContractType } from '@paraph/protocol/contract'
import { countCodePoints, displayNameError } from '@paraph/protocol/text-rules'
import { isTimeZone } from '@paraph/web/dates'
import { hasHiddenCharacter, hasHiddenCharacterInText } from '@paraph/protocol/text-rules'

/** Ranges of expected contracts a month: stored name → upper limit. */
export const VOLUMES = { '1-50': 50, '50-200': 200, '200-1000': 1_000, '1000-5000': 5_000, more: undefined } as const
export type Volume = keyof typeof VOLUMES
export const VOLUME_NAMES = Object.keys(VOLUMES) as Volume[]

const COMPANY_LENGTH_MAX = 100
const PURPOSE_LENGTH_MAX = 2_000
const OTHER_PARTIES_LENGTH_MAX = 200
export const REASON_LENGTH_MAX = 1_000

/** The answers of an applicant. */
export interface ApplicationForm {
  company: string
  website: string
  purpose: string
  contractTypes: ContractType[]
  otherParties: string
  volume: Volume
  /** The IANA zone of the account, from the browser unless the applicant chose another. [D60] */
  timeZone: string
}

export type ApplicationField = keyof ApplicationForm
/** The error of a refused field: empty, too long, or not of the expected kind. */
export type FieldErrorKind = 'missing' | 'too_long' | 'wrong'

/** The typed values of the form. */
export type TypedApplication = Record<Exclude<ApplicationField, 'contractTypes'>, string> & {
  contractTypes: readonly string[]
}

type FormErrors = Partial<Record<ApplicationField, FieldErrorKind>>

/** Checks a submitted form. @returns the normalised form, or the error of each refused field */
export function readApplication(typed: TypedApplication): { form: ApplicationForm } | { faults: FormErrors } {
  const company = typed.company.trim()
  const website = websiteOf(typed.website)
  const purpose = typed.purpose.replaceAll('\r\n', '\n').trim()
  const otherParties = typed.otherParties.trim()
  const contractTypes = CONTRACT_TYPES.filter((type) => typed.contractTypes.includes(type))
  // Without scripts nothing is chosen.
  const timeZone = typed.timeZone.trim() || 'UTC'
  const volume = VOLUME_NAMES.find((name) => name === typed.volume)
  const found: Partial<Record<ApplicationField, FieldErrorKind | undefined>> = {
    company: textError(company, COMPANY_LENGTH_MAX, (name) => displayNameError(name, COMPANY_LENGTH_MAX)),
    website: typed.website.trim() === '' ? 'missing' : website === undefined ? 'wrong' : undefined,
    purpose: textError(purpose, PURPOSE_LENGTH_MAX, () => false),
    contractTypes: contractTypes.length === 0 ? 'missing' : undefined,
    otherParties: textError(otherParties, OTHER_PARTIES_LENGTH_MAX, hasHiddenCharacter),
    volume: volume === undefined ? 'missing' : undefined,
    timeZone: isTimeZone(timeZone) ? undefined : 'wrong',
  }
  const faults = Object.entries(found).filter(([, error]) => error !== undefined)
  if (faults.length > 0) return { faults: Object.fromEntries(faults) }
  return { form: { company, website: website!, purpose, contractTypes, otherParties, volume: volume!, timeZone } }
}

/** The ASCII host name of a typed website address, without `www.`; undefined if the text is not such an address. */
export function websiteOf(typed: string): string | undefined {
  const address = typed.trim().replace(/^https?:\/\//i, '')
  const parsed = z.url({ protocol: /^https$/ }).safeParse(`https://${address}`)
  if (!parsed.success) return undefined
  const { hostname, username } = new URL(parsed.data)
  const isName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/.test(hostname)
  return isName && username === '' ? hostname.replace(/^www\./, '') : undefined
}

function textError(text: string, max: number, isWrong: (text: string) => unknown): FieldErrorKind | undefined {
  if (text === '') return 'missing'
  if (countCodePoints(text) > max) return 'too_long'
  return isWrong(text) ? 'wrong' : undefined
}

/** Normalises a typed reason for storage. */
export const trimReason = (typed: string): string => typed.replaceAll('\r\n', '\n').trim()

/** The error in the reason of a decision, which the applicant gets by mail; undefined if the reason is valid. */
export const reasonError = (reason: string): FieldErrorKind | undefined =>
  textError(reason, REASON_LENGTH_MAX, hasHiddenCharacterInText)

export type ApplicationState = 'pending' | 'approved' | 'refused' | 'withdrawn'

/** Action → next state. Every action requires the state `pending`. */
const NEXT = { change: 'pending', withdraw: 'withdrawn', approve: 'approved', refuse: 'refused' } as const

/** The state after `action`, or undefined if `state` does not allow the action. */
export const stateAfter = (state: ApplicationState, action: keyof typeof NEXT): ApplicationState | undefined =>
  state === 'pending' ? NEXT[action] : undefined

/** True if mail domain and website are the same domain, or one is a subdomain of the other; a hint for the operator. */
export function isMailOfWebsite(mailbox: string, website: string): boolean {
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1).toLowerCase()
  return domain === website || domain.endsWith(`.${website}`) || website.endsWith(`.${domain}`)
}
