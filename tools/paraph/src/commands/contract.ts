// `paraph contract …`: show a contract, cancel it, erase its personal data, hold it. `paraph report …`: list the messages that recipients sent
// with "Report this request". [D19, D43]
import { callCommand, needed, type Command } from '../command-line.js'
import { forTerminal, formatTable, indented, rowsOf } from '../table.js'

const ID = needed('ID')

export const contractCommands: readonly Command[] = [
  callCommand({
    name: 'contract show',
    purpose: 'Shows one contract and its signatures.',
    options: { id: ID },
    async call({ contract, gateway }, { id }) {
      const shown = await contract.contract.show.query({ id })
      await gateway.audit.recordRead.mutate({ subject: id, accountId: shown.contract.accountId })
      return shown
    },
    text: ({ contract }) => formatTable(rowsOf(contract)),
  }),
  callCommand({
    name: 'contract cancel',
    purpose: 'Cancels a contract that not everyone has signed yet.',
    options: { id: ID, reason: needed('TEXT') },
    call: ({ contract }, { id, reason }) => contract.contract.cancel.mutate({ id, reason }),
    text: ({ contract }) => `Contract ${contract.id} is ${contract.status}.`,
  }),
  callCommand({
    name: 'contract erase',
    purpose:
      'Permanently erases the text, names, addresses and PDF of a final contract. Its evidence can still be verified.',
    options: { id: ID },
    call: ({ contract }, { id }) => contract.contract.erase.mutate({ id }),
    text: ({ contract }) => `Contract ${contract.id} was erased at ${contract.erasedAt}.`,
  }),
  callCommand({
    name: 'contract hold',
    purpose:
      'Keeps a contract from every erasure until it is released. Owners see that it is kept, but not the reason.',
    options: { id: ID, reason: needed('TEXT') },
    call: ({ gateway }, { id, reason }) => gateway.contract.hold.mutate({ id, reason }),
    text: ({ contract }) => `Contract ${contract.id} is held. No request to erase it is pending any longer.`,
  }),
  callCommand({
    name: 'contract release',
    purpose: 'Ends the hold of a contract. It can be erased again.',
    options: { id: ID },
    call: ({ gateway }, { id }) => gateway.contract.release.mutate({ id }),
    text: ({ contract }) => `Contract ${contract.id} is released.`,
  }),
]

export const reportCommands: readonly Command[] = [
  callCommand({
    name: 'report list',
    purpose: 'Lists the messages sent with "Report this request", newest first.',
    options: {},
    async call({ signing, gateway }) {
      await gateway.audit.recordRead.mutate({ subject: 'reports' })
      return signing.report.list.query({})
    },
    text: ({ reports }) =>
      reports
        .map(
          ({ contractId, reason, message, createdAt }) =>
            `${createdAt}  ${contractId}  ${reason}\n${indented(forTerminal(message))}`,
        )
        .join('\n') || 'There is no report.',
  }),
]
