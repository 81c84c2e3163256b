// `paraph contract …`: show a contract, cancel it, erase its personal data. [D19, D43]
import type { Command } from '../command-line.js'
import { rowsOf, formatTable } from '../table.js'

export const contractCommands: readonly Command[] = [
  {
    name: 'contract show',
    purpose: 'Shows one contract and its signatures.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ contract }, { id = '' }) => {
      const answer = await contract.contract.show.query({ id })
      return { answer, text: formatTable(rowsOf(answer.contract)) }
    },
  },
  {
    name: 'contract cancel',
    purpose: 'Cancels a contract that not everyone has signed yet.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: true } },
    run: async ({ contract }, { id = '', reason = '' }) => {
      const answer = await contract.contract.cancel.mutate({ id, reason })
      return { answer, text: `Contract ${answer.contract.id} is ${answer.contract.status}.` }
    },
  },
  {
    name: 'contract erase',
    purpose: 'Permanently erases text, names, addresses and PDF of a final contract. Its evidence still verifies.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ contract }, { id = '' }) => {
      const answer = await contract.contract.erase.mutate({ id })
      return { answer, text: `Contract ${answer.contract.id} was erased at ${answer.contract.erasedAt}.` }
    },
  },
]
