// `paraph contract …`: look at a contract, cancel it, erase what is personal of it. [D19, D43]
import type { Command } from '../command-line.js'
import { factsOf, formatTable } from '../table.js'

export const contractCommands: readonly Command[] = [
  {
    name: 'contract show',
    purpose: 'One contract and who has signed it.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ contract }, { id = '' }) => {
      const answer = await contract.contract.show.query({ id })
      return { answer, text: formatTable(factsOf(answer.contract)) }
    },
  },
  {
    name: 'contract cancel',
    purpose: 'Cancels a contract that is not signed by everyone yet.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: true } },
    run: async ({ contract }, { id = '', reason = '' }) => {
      const answer = await contract.contract.cancel.mutate({ id, reason })
      return { answer, text: `Contract ${answer.contract.id} is ${answer.contract.status}.` }
    },
  },
  {
    name: 'contract erase',
    purpose: 'Erases text, names, addresses and PDF of a final contract, for ever. Its evidence still verifies.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ contract }, { id = '' }) => {
      const answer = await contract.contract.erase.mutate({ id })
      return { answer, text: `Contract ${answer.contract.id} was erased at ${answer.contract.erasedAt}.` }
    },
  },
]
