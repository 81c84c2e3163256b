/** The files that a sealed PDF brings. */
export const ATTACHED = {
  content: 'contract.txt',
  evidence: 'evidence.jws',
  key: 'paraph.pem',
  names: 'names.txt',
} as const
