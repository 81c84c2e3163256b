// Reads the exact text of a contract and checks it against the signed hash: only this text is shown, downloaded and sealed. [D30]
import { createHash } from 'node:crypto'
import type { ContractClient, ContractView } from '../clients/contract.js'

/**
 * Reads it from the contract service.
 * @returns null after an erasure
 * @throws Error when the text does not match its hash: it must not be shown, signed or sealed
 */
export async function readSignedText(
  contract: ContractClient,
  { contractId, contentSha256 }: Pick<ContractView, 'contractId' | 'contentSha256'>,
): Promise<string | null> {
  const { content } = await contract.ceremony.readText.query({ contractId })
  if (content !== null && createHash('sha256').update(content, 'utf8').digest('hex') !== contentSha256)
    throw new Error('the text is not the one of its hash')
  return content
}
