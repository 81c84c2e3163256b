// The names that must not reach a log line, whatever object somebody passes. A second wall: code does not log them anyway.

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
