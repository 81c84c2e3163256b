// `paraph contract …`: find a contract, show it, cancel it, erase its personal data, hold it. `paraph report …`: list the messages that
// recipients sent with "Report this request". [D19, D43]
import { CONTRACT_STATUSES, type ContractStatus } from '@paraph/protocol/contract'
import { UserError } from '@paraph/config/refusal'
import { callCommand, ID, needed, type Command } from '../command.js'
import type { OperatorClient } from '../operator-client.js'
import { forTerminal, formatList, formatRecord, indented, minuteOf } from '../table.js'

export const contractCommands: readonly Command[] = [
  callCommand({
    name: 'contract list',
    purpose:
      'Lists the contracts of an account, newest first: those of its live keys, or with --environment test those of its test keys. --before continues after the last contract of a page.',
    options: {
      account: needed('ID'),
      environment: { value: 'live|test', oneOf: ['live', 'test'] },
      status: { value: CONTRACT_STATUSES.join('|'), oneOf: CONTRACT_STATUSES },
      limit: { value: '1..100' },
      before: { value: 'CONTRACT-ID' },
    },
    async call({ contract, gateway }, { account: accountId, environment, status, limit, before }) {
      if (limit !== undefined && !/^([1-9]\d?|100)$/.test(limit))
        throw new UserError('--limit must be a whole number from 1 to 100.')
      // Refuses an unknown id, and records in the audit log that the account was read.
      await gateway.account.show.query({ id: accountId })
      return contract.contract.list.query({
        accountId,
        environment: environment === 'test' ? 'sandbox' : 'production',
        status: status as ContractStatus | undefined,
        limit: limit === undefined ? undefined : Number(limit),
        before,
      })
    },
    text: describeContracts,
  }),
  callCommand({
    name: 'contract show',
    purpose: 'Shows one contract, its parties and who has signed.',
    operand: ID,
    options: {},
    async call({ contract, gateway }, { id }) {
      const shown = await contract.contract.show.query({ id })
      await gateway.audit.recordRead.mutate({ subject: id, accountId: shown.contract.accountId })
      return shown
    },
    text: ({ contract }) => describeContract(contract),
  }),
  callCommand({
    name: 'contract cancel',
    purpose: 'Cancels a contract that not everyone has signed yet.',
    operand: ID,
    options: { reason: needed('TEXT') },
    call: ({ contract }, { id, reason }) => contract.contract.cancel.mutate({ id, reason }),
    text: ({ contract }) => `Contract ${contract.id} is ${contract.status}.`,
  }),
  callCommand({
    name: 'contract erase',
    purpose:
      'Permanently erases the text, names, addresses and PDF of a final contract. Its evidence can still be verified.',
    operand: ID,
    options: {},
    call: ({ contract }, { id }) => contract.contract.erase.mutate({ id }),
    text: ({ contract }) => `Contract ${contract.id} was erased at ${contract.erasedAt}.`,
  }),
  callCommand({
    name: 'contract hold',
    purpose: 'Protects a contract from every erasure until you release it. Owners see the hold, but not the reason.',
    operand: ID,
    options: { reason: needed('TEXT') },
    call: ({ gateway }, { id, reason }) => gateway.contract.hold.mutate({ id, reason }),
    text: ({ contract }) => `Contract ${contract.id} is held. A request to erase it no longer counts.`,
  }),
  callCommand({
    name: 'contract release',
    purpose: 'Ends the hold of a contract. It can be erased again.',
    operand: ID,
    options: {},
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
          ({ contractId, reason, message, createdAt, handledAt, note }) =>
            `${createdAt}  ${contractId}  ${reason}${handledAt === null ? '' : `  handled ${handledAt}`}\n` +
            [message, note ?? ''].flatMap((text) => (text === '' ? [] : [indented(forTerminal(text))])).join('\n'),
        )
        .join('\n') || 'There is no report.',
  }),
]

type Contracts = OperatorClient['contract']['contract']

function describeContracts({ contracts, hasMore }: Awaited<ReturnType<Contracts['list']['query']>>): string {
  const list = formatList(
    ['Contract', 'Status', 'Signed', 'Created (UTC)', 'Number'],
    contracts.map(({ id, status, signed, total, createdAt, contractNumber, isErased }) => [
      id,
      isErased ? `${status}, erased` : status,
      `${signed} of ${total}`,
      minuteOf(createdAt),
      contractNumber,
    ]),
    'There is no such contract. --environment test lists the contracts of test keys.',
  )
  return hasMore ? `${list}\n\nThere are more: --before ${contracts.at(-1)?.id} continues the list.` : list
}

function describeContract(contract: Awaited<ReturnType<Contracts['show']['query']>>['contract']): string {
  const { signingProgress, parties, signatures, metadata } = contract
  const atUtc = (instant: string | Date | null) => instant && `${minuteOf(instant)} UTC`
  const record = formatRecord({
    Contract: contract.id,
    Number: contract.contractNumber,
    Type: contract.contractType,
    Status: `${contract.status}, ${signingProgress.signed} of ${signingProgress.total} signed`,
    Account: `${contract.accountId} (${contract.environment})`,
    Sender: contract.senderName,
    Created: atUtc(contract.createdAt),
    Expires: atUtc(contract.expiresAt),
    Completed: atUtc(contract.completedAt),
    'Erasure due': atUtc(contract.eraseDueAt),
    Held: contract.heldAt && `since ${atUtc(contract.heldAt)}: ${contract.holdReason}`,
    Metadata: Object.entries(metadata ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  })
  const signedAt = (role: string, name: string, email: string) =>
    signatures.find((each) => each.signerRole === role && each.signerName === name && each.signerEmail === email)
      ?.signedAt
  const list = formatList(
    ['Role', 'Name', 'Email', 'Signed (UTC)'],
    parties.map(({ role, legalName, email, hasSigned }) => [
      role,
      legalName,
      email,
      hasSigned ? minuteOf(signedAt(role, legalName, email)) : 'not yet',
    ]),
    'The contract has no parties.',
  )
  return `${record}\n\n${list}`
}
