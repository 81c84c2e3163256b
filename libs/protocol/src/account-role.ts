/** What a person may do in an account: everything, building on the interface, or reading contracts and usage. [D72] */
export const ACCOUNT_ROLES = ['owner', 'developer', 'viewer'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]
