// An application for access: what it says, and what may become of it. Pure. [Authentication, D14, D38]
import { z } from 'zod'
import { CONTRACT_TYPES, type ContractType } from '@paraph/protocol/contract'
import {
  countCodePoints,
  faultOfDisplayName,
  hasHiddenCharacter,
  hasHiddenCharacterInText,
} from '@paraph/protocol/text-rules'
import type { ApplicationState } from './database.js'

/** Contracts a month that an applicant expects: the key is kept, the number is the most it stands for. */
export const VOLUMES = { '1-50': 50, '50-200': 200, '200-1000': 1_000, '1000-5000': 5_000, more: undefined } as const
export type Volume = keyof typeof VOLUMES
export const VOLUME_NAMES = Object.keys(VOLUMES) as Volume[]

export const COMPANY_LENGTH_MAX = 100
export const PURPOSE_LENGTH_MAX = 2_000
export const OTHER_PARTIES_LENGTH_MAX = 200
export const REASON_LENGTH_MAX = 1_000

/** What an applicant tells. */
export interface ApplicationForm {
  company: string
  website: string
  purpose: string
  contractTypes: ContractType[]
  otherParties: string
  volume: Volume
}

export type ApplicationField = keyof ApplicationForm
/** What is wrong with a field: nothing in it, too much, or not what it asks for. */
export type FieldFault = 'missing' | 'too_long' | 'wrong'

/** The form as it was typed, checked. @returns what it says, or what is wrong with each field */
export function readApplication(
  typed: Record<Exclude<ApplicationField, 'contractTypes'>, string> & { contractTypes: readonly string[] },
): { form: ApplicationForm } | { faults: Partial<Record<ApplicationField, FieldFault>> } {
  const company = typed.company.trim()
  const website = websiteOf(typed.website)
  const purpose = typed.purpose.replaceAll('\r\n', '\n').trim()
  const otherParties = typed.otherParties.trim()
  const contractTypes = CONTRACT_TYPES.filter((type) => typed.contractTypes.includes(type))
  const volume = VOLUME_NAMES.find((name) => name === typed.volume)
  const found: Partial<Record<ApplicationField, FieldFault | undefined>> = {
    company:
      company === ''
        ? 'missing'
        : (tooLong(company, COMPANY_LENGTH_MAX) ??
          (faultOfDisplayName(company, COMPANY_LENGTH_MAX) ? 'wrong' : undefined)),
    website: typed.website.trim() === '' ? 'missing' : website === undefined ? 'wrong' : undefined,
    purpose: purpose === '' ? 'missing' : tooLong(purpose, PURPOSE_LENGTH_MAX),
    contractTypes: contractTypes.length === 0 ? 'missing' : undefined,
    otherParties: lineFault(otherParties, OTHER_PARTIES_LENGTH_MAX),
    volume: volume === undefined ? 'missing' : undefined,
  }
  const faults = Object.entries(found).filter(([, fault]) => fault !== undefined)
  if (faults.length > 0) return { faults: Object.fromEntries(faults) }
  return { form: { company, website: website!, purpose, contractTypes, otherParties, volume: volume! } }
}

/** The host of a website, in ASCII, however its address was typed; undefined for what is none. */
export function websiteOf(typed: string): string | undefined {
  const address = typed.trim().replace(/^https?:\/\//i, '')
  const parsed = z.url({ protocol: /^https$/ }).safeParse(`https://${address}`)
  if (!parsed.success) return undefined
  const { hostname, username } = new URL(parsed.data)
  const isName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/.test(hostname)
  return isName && username === '' ? hostname.replace(/^www\./, '') : undefined
}

const tooLong = (text: string, max: number): FieldFault | undefined =>
  countCodePoints(text) > max ? 'too_long' : undefined

const lineFault = (text: string, max: number): FieldFault | undefined =>
  text === '' ? 'missing' : (tooLong(text, max) ?? (hasHiddenCharacter(text) ? 'wrong' : undefined))

/** The reason of a decision as it is kept, however it was typed. */
export const trimReason = (typed: string): string => typed.replaceAll('\r\n', '\n').trim()

/** What is wrong with a reason: the applicant gets it by mail. */
export const faultOfReason = (reason: string): FieldFault | undefined =>
  reason === ''
    ? 'missing'
    : (tooLong(reason, REASON_LENGTH_MAX) ?? (hasHiddenCharacterInText(reason) ? 'wrong' : undefined))

type Step = 'change' | 'withdraw' | 'approve' | 'refuse'

/** What a step makes of an application; what is not listed cannot be done. */
const STEPS: Readonly<Record<ApplicationState, Partial<Record<Step, ApplicationState>>>> = {
  pending: { change: 'pending', withdraw: 'withdrawn', approve: 'approved', refuse: 'refused' },
  approved: {},
  refused: {},
  withdrawn: {},
}

/** The state after `step`, or undefined where it cannot be taken any more. */
export const after = (state: ApplicationState, step: Step): ApplicationState | undefined => STEPS[state][step]

/** Whether the applicant's mail domain is the website's, or below it; facts for the operator, who decides. */
export function isMailOfWebsite(mailbox: string, website: string): boolean {
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1).toLowerCase()
  return domain === website || domain.endsWith(`.${website}`) || website.endsWith(`.${domain}`)
}
