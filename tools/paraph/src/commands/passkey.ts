// `paraph passkey …`: a person of an account or an operator has lost the device with the passkey. [D73]
import { callCommand, needed, type Command } from '../command.js'

export const passkeyCommands: readonly Command[] = [
  callCommand({
    name: 'passkey reset',
    purpose:
      'Removes the passkeys and recovery codes of a person and ends the sessions. The next sign-in needs a code by email alone. First make sure who asks you. The person and the owners of the accounts receive an email.',
    options: { mailbox: needed('ADDRESS') },
    call: ({ gateway }, { mailbox }) => gateway.passkey.reset.mutate({ mailbox }),
    text: ({ mailbox, hadPasskeys }) =>
      hadPasskeys
        ? `The passkeys of ${mailbox} are removed, and the sessions have ended.`
        : `${mailbox} has no passkey; nothing has changed.`,
  }),
]
