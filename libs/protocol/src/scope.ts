// The scopes of an API key. [Scopes]
export const SCOPES = ['contracts:read', 'contracts:write'] as const
export type Scope = (typeof SCOPES)[number]
