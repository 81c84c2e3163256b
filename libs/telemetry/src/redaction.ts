// Property names that the logger redacts in any object. A second line of defence: no code logs them on purpose.

export const REDACTED_PATHS = [
  'email',
  'legalName',
  'content',
  'shareToken',
  'shareUrl',
  'secret',
  'typedName',
  '*.email',
  '*.legalName',
  '*.content',
  '*.shareToken',
  '*.shareUrl',
  '*.secret',
  '*.typedName',
  'headers["x-api-key"]',
  'headers.authorization',
  'headers.cookie',
  '*.headers["x-api-key"]',
  '*.headers.authorization',
  '*.headers.cookie',
] as const
