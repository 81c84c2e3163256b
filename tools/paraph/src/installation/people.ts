// Whom the local start knows: the owner of its demo account, and its operator. Their mail is in the mailbox on this machine.

export const OWNER_EMAIL = 'owner@example.test'
export const OPERATOR_EMAIL = 'operator@example.test'
