// The filter of the list of contracts: from the address of the page, and for the contract service. Pure. [D71]
import { CONTRACT_TYPES } from '@paraph/protocol/contract'
import { LISTED_STATUSES, PROBLEMS, SEARCH_LENGTH_MAX } from '@paraph/protocol/contract-list'
import { startOfDay } from '../../accounts/zone-time.js'

/** The values of the fields; empty without a condition. `from` and `until` are days, `YYYY-MM-DD`, both included. */
export type ListFilter = Record<'search' | 'status' | 'contractType' | 'problem' | 'from' | 'until', string>

/** Unknown values count as absent. */
export function readFilter(query: Readonly<Record<string, unknown>>): ListFilter {
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value.slice(0, SEARCH_LENGTH_MAX).toWellFormed().trim() : ''
  }
  return {
    search: text('search'),
    status: choiceOf(LISTED_STATUSES, text('status')) ?? '',
    contractType: choiceOf(CONTRACT_TYPES, text('contractType')) ?? '',
    problem: choiceOf(PROBLEMS, text('problem')) ?? '',
    from: dayOf(text('from')),
    until: dayOf(text('until')),
  }
}

/** The filter as the contract service takes it. @param timeZone of the account, in which its days begin */
export function queryOf({ search, status, contractType, problem, from, until }: ListFilter, timeZone: string) {
  const start = (day: string, daysLater = 0): string =>
    startOfDay(new Date(Date.parse(day) + daysLater * 86_400_000).toISOString().slice(0, 10), timeZone).toISOString()
  return {
    search: search || undefined,
    status: choiceOf(LISTED_STATUSES, status),
    contractType: choiceOf(CONTRACT_TYPES, contractType),
    problem: choiceOf(PROBLEMS, problem),
    createdFrom: from === '' ? undefined : start(from),
    createdBefore: until === '' ? undefined : start(until, 1),
  }
}

const choiceOf = <Choice extends string>(choices: readonly Choice[], value: string): Choice | undefined =>
  choices.find((choice) => choice === value)

/** A day of the years in which contracts can exist, else an empty text. */
const dayOf = (text: string): string =>
  /^20\d\d-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) ? text : ''
