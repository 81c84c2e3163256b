// The people of the local start: the owner of its demo account, and its operator. The local mailbox receives their mail.

export const OWNER_EMAIL = 'owner@example.test'
export const OPERATOR_EMAIL = 'operator@example.test'
