// The filters of an owner's list of contracts. [D71]
import { CONTRACT_STATUSES } from './contract.js'

/** `open`: waiting or partly signed. `expiring`: open, and expires within three days. */
export const LISTED_STATUSES = [...CONTRACT_STATUSES, 'open', 'expiring'] as const
export type ListedStatus = (typeof LISTED_STATUSES)[number]

/** `delivery`: open, and an invitation is delayed or refused. `declined`: a party has declined and not signed since. */
export const PROBLEMS = ['delivery', 'declined'] as const
export type Problem = (typeof PROBLEMS)[number]

/** Characters of a search. */
export const SEARCH_LENGTH_MAX = 200
