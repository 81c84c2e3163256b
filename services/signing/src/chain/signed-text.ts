// The exact text of a contract, held against the hash that everybody signs: what is shown, handed out and sealed is that text. [D30]
import { createHash } from 'node:crypto'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'

/**
 * Asks the contract service for it.
 * @returns null once it was erased
 * @throws Error when it is another text than its hash says: then nothing may be shown, signed or sealed
 */
export async function readSignedText(
  contract: ContractClient,
  { contractId, contentSha256 }: Pick<ContractFacts, 'contractId' | 'contentSha256'>,
): Promise<string | null> {
  const { content } = await contract.ceremony.readText.query({ contractId })
  if (content !== null && createHash('sha256').update(content, 'utf8').digest('hex') !== contentSha256)
    throw new Error('the text is not the one of its hash')
  return content
}
