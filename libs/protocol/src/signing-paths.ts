// The paths of the signing service that browsers reach through the gateway. The signing service has a handler for each; the gateway
// reports these templates to telemetry in place of the paths, which hold share tokens. [ceremony: URLs, I14]

/** `{name}` stands for one segment. */
export const SIGNING_TEMPLATES = [
  '/contract/{shareToken}',
  '/contract/{shareToken}/code',
  '/contract/{shareToken}/code/{challenge}',
  '/contract/{shareToken}/resend',
  '/contract/{shareToken}/review',
  '/contract/{shareToken}/sign',
  '/contract/{shareToken}/done',
  '/contract/{shareToken}/signed',
  '/contract/{shareToken}/decline',
  '/contract/{shareToken}/leave',
  '/contract/{shareToken}/report',
  '/contract/{shareToken}/contract.txt',
  '/contract/{shareToken}/copy.pdf',
  '/contract/{shareToken}/evidence.jws',
  '/contract/{shareToken}/openings.txt',
  '/.well-known/{file}',
  '/.well-known/paraph-evidence/{file}',
  '/assets/signing/{file}',
  '/assets/brand/{file}',
  '/help',
  '/privacy',
  '/verify',
] as const

export type SigningTemplate = (typeof SIGNING_TEMPLATES)[number]
