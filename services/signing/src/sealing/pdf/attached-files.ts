/** The files attached to a sealed PDF. */
export const ATTACHED = {
  content: 'contract.txt',
  evidence: 'evidence.jws',
  key: 'paraph.pem',
  names: 'names.txt',
} as const
