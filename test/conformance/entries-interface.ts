// Maps the sentences of the specification to tests: from Endpoints to its end.
import { decided, explains, shown, shownBut, type Entries } from './evidence.js'
import { CEREMONY, CONTRACT, INTERFACE } from './tests.js'

const NO_PRICE = 'The price: Paraph takes no payments, and no answer of the interface holds one.'

export const INTERFACE_ENTRIES: Entries = {
  Endpoints: {
    'All paths are relative to `{base_url}`.': shown(INTERFACE.paths),
    'Requests with bodies are JSON with header `Content-Type: application/json`.': shown(CONTRACT.bodies),
    'Every request carries the `x-api-key` header (see Authentication).': shown(INTERFACE.badKeys, INTERFACE.twoKeys),
    'POST | /contracts | contracts:write | 1 | Create a multi-party contract': shown(
      INTERFACE.table,
      INTERFACE.scopes,
      INTERFACE.usage,
    ),
    'GET | /contracts/{id} | contracts:read | 1 | Contract details and signing progress': shown(
      INTERFACE.table,
      INTERFACE.scopes,
      INTERFACE.usage,
    ),
    'GET | /usage | contracts:read | 0 | Quota and usage for the current billing period': shown(
      INTERFACE.table,
      INTERFACE.scopes,
      INTERFACE.usage,
    ),
    'GET | /status | none required | 0 | Health check and key/subscription info': shown(
      INTERFACE.table,
      INTERFACE.scopes,
      INTERFACE.status,
    ),
  },

  'POST /contracts': {
    'Request body:': explains('Introduces the table below it.'),
    'parties | array of Party (role, legalName, email) | yes | Minimum 2 entries; every entry needs role, legalName, email.':
      shown(CONTRACT.required, CONTRACT.faults),
    'contractType | string | yes | One of the contract types listed above.': shown(CONTRACT.required, CONTRACT.types),
    'content | string | yes | Plain text, at most 50 KB. Section headers (numbered, upper case) and blank lines are preserved as formatting.':
      shown(CONTRACT.required, CONTRACT.bodies, CONTRACT.byteForByte, CEREMONY.headings, CEREMONY.gaps),
    'senderName | string | no | Display name shown in signing e-mails; defaults to the account name.': shown(
      CONTRACT.mailed,
      CEREMONY.invitation,
    ),
    "metadata | object | no | Arbitrary string key-value pairs for the client's own tracking.": shown(
      CONTRACT.mailed,
      CONTRACT.bounds,
    ),
    'Response: HTTP 201; body `{success, contract}` with the Contract (POST) fields above.': shown(CONTRACT.created),
    'Side effect: signing e-mails to all parties.': shown(CONTRACT.mailed, CONTRACT.wholeStory),
  },

  'GET /contracts/{id}': {
    'Path parameter `id`: the contract id string.': shown(CONTRACT.signed, CONTRACT.unknown),
    'No body.': shown(CONTRACT.signed, INTERFACE.noBody),
    'Response: HTTP 200; body `{success, contract}` with the Contract (GET) fields above.': shown(CONTRACT.signed),
  },

  'GET /usage': {
    'No body.': shown(INTERFACE.usage, INTERFACE.noBody),
    'Response: HTTP 200; body `{success, usage}` with the Usage fields above.': shown(INTERFACE.usage),
  },

  'GET /status': {
    'No body.': shown(INTERFACE.status, INTERFACE.noBody),
    'Response: the Status response above.': shown(INTERFACE.status),
    'Does not count against the quota and needs no scope; it is used to confirm that a key is valid.': shown(
      INTERFACE.status,
      INTERFACE.scopes,
      INTERFACE.revoked,
    ),
    'There is no endpoint to list contracts, to download a PDF, or to cancel a contract.': shown(INTERFACE.notThere),
    'Query parameters and pagination: none are used by these four endpoints.': shown(
      INTERFACE.notThere,
      INTERFACE.usage,
    ),
    'Response fields of GET /status beyond those listed: not shown.': decided('D2', INTERFACE.statusFacts),
  },

  Authentication: {
    'Every request carries the header `x-api-key` with the API key.': shown(INTERFACE.badKeys, INTERFACE.twoKeys),
    'Key format: a brand-specific prefix, then `live_` for production keys or `test_` for sandbox keys, then the secret part.':
      shown(INTERFACE.keyFormat, CONTRACT.lifetimes),
    'In this specification the placeholders `<LIVE_API_KEY>` and `<SANDBOX_API_KEY>` stand for full keys.': explains(
      'Says how the specification is written.',
    ),
    'A key is created by the account owner in the account settings under API access, where scopes are chosen.': shown(
      INTERFACE.ownersWay,
      INTERFACE.application,
      INTERFACE.defaultScopes,
    ),
    'The full key is shown once at creation; a lost key is replaced by creating a new key.': shown(
      INTERFACE.keyOnce,
      INTERFACE.shownOnce,
      INTERFACE.operator,
    ),
    'Access needs an approved application and a paid subscription.': shownBut(
      'Nothing is charged here: what the operator grants counts as paid, and a trial may use the sandbox.',
      INTERFACE.application,
      INTERFACE.subscriptions,
    ),
  },

  Scopes: {
    'contracts:read | GET /contracts/{id}, GET /usage': shown(INTERFACE.scopes),
    'contracts:write | POST /contracts': shown(INTERFACE.scopes),
    'A default key has both scopes.': shown(INTERFACE.defaultScopes),
    'GET /status needs no scope.': shown(INTERFACE.scopes),
  },

  Environments: {
    'Production | live_ | Creates real, legally binding contracts; uses the subscription quota.': shownBut(
      'That a contract binds in law no test can show.',
      CONTRACT.lifetimes,
      CONTRACT.cancelledByCommand,
      INTERFACE.environmentsApart,
    ),
    'Sandbox | test_ | For development; contracts auto-expire after 1 hour; has separate rate limits.': shown(
      CONTRACT.lifetimes,
      INTERFACE.sandboxLimits,
      INTERFACE.sharedWindow,
    ),
  },

  'Subscription tiers': {
    'Startup | 29 CAD per month | 60 | 5,000 calls': shownBut(NO_PRICE, INTERFACE.tiers, INTERFACE.refusals),
    'Growth | 99 CAD per month | 300 | 25,000 calls': shownBut(NO_PRICE, INTERFACE.tiers),
    'Enterprise | 499 CAD per month | 1,000 | 250,000 calls': shownBut(NO_PRICE, INTERFACE.tiers),
    'Every key belongs to one tier, which sets its limits.': shown(INTERFACE.tiers),
  },

  Events: {
    'Event delivery of any kind (webhooks or callbacks): not shown.': decided('D24', CONTRACT.mailed),
    'Clients learn of signing progress by polling GET /contracts/{id}.': shown(CONTRACT.signed),
    'The only outbound notifications shown are e-mails: signing e-mails to all parties when a contract is created, and a one-time verification code e-mail when a party opens the share link.':
      shown(CONTRACT.mailed),
  },

  Errors: {
    '401 | Key missing or invalid (clients are told to check the key) | Body has the string field `error`.': shown(
      INTERFACE.badKeys,
      INTERFACE.everyAnswer,
    ),
    '429 | Per-minute rate limit exceeded | Returned until the window resets; header `RateLimit-Reset` gives seconds until reset.':
      shown(INTERFACE.refusals, INTERFACE.exactWindow, INTERFACE.waits),
    '404 | Request to the removed v1 path prefix | Returned for every v1 request.': shown(INTERFACE.v1Gone),
    'other non-2xx | Any other failure | Body has the string field `error`.': shown(
      INTERFACE.everyAnswer,
      INTERFACE.order,
      INTERFACE.noHttp,
      INTERFACE.methods,
    ),
    'The error body is JSON with a string field `error`.': shown(INTERFACE.everyAnswer, INTERFACE.errorBody),
    'Clients should back off exponentially on 429.': explains(
      'Advice to clients; a client that waits as long as `Retry-After` says does not need it.',
    ),
    'Status codes and bodies for validation failures, missing scope, unknown contract id and exhausted monthly quota: not shown.':
      decided('D4 D5 D6', CONTRACT.required, INTERFACE.order, CONTRACT.unknown, INTERFACE.stop),
    'Machine-readable error code strings: not shown.': decided('D6', INTERFACE.order, CONTRACT.bodies),
  },

  Limits: {
    'Parties per contract | minimum 2': shown(CONTRACT.required),
    'content size | at most 50 KB': shown(CONTRACT.bodies, CONTRACT.bothSizes),
    'Contract and share link lifetime | 14 days from creation': shown(CONTRACT.lifetimes, CONTRACT.expired),
    'Sandbox contract lifetime | 1 hour': shown(CONTRACT.lifetimes),
    'Rate limit | per minute, sliding window; 60 / 300 / 1,000 for Startup / Growth / Enterprise': shown(
      INTERFACE.tiers,
      INTERFACE.slidingWindow,
      INTERFACE.exactWindow,
    ),
    'Monthly quota | 5,000 / 25,000 / 250,000 calls for Startup / Growth / Enterprise': shown(INTERFACE.tiers),
    'Every response carries `RateLimit-Limit` (maximum requests per minute for the tier), `RateLimit-Remaining` (requests left in the current window) and `RateLimit-Reset` (seconds until the window resets).':
      shown(
        INTERFACE.everyAnswer,
        INTERFACE.tiers,
        INTERFACE.order,
        INTERFACE.brokenBody,
        INTERFACE.addressWindow,
        INTERFACE.noHttp,
      ),
    "When the request count exceeds the tier's limit, the service answers 429 until the window resets.": shown(
      INTERFACE.refusals,
      INTERFACE.exactWindow,
    ),
    'Quota weight per call: POST /contracts 1; GET /contracts/{id} 1; GET /usage 0; GET /status 0.': shown(
      INTERFACE.usage,
      INTERFACE.table,
      INTERFACE.billing,
    ),
    'The quota applies per billing period (calendar month, see `period`, `periodStart`, `periodEnd`).': shown(
      INTERFACE.months,
      INTERFACE.period,
    ),
    'Maximum number of parties: not shown.': decided('D11', CONTRACT.faults, CONTRACT.bounds),
    'Sandbox rate limit and quota values: not shown.': decided('D8', INTERFACE.sandboxLimits),
  },

  Versioning: {
    'The version is part of the path: `{base_url}` ends in `/api/external/v2`.': shown(INTERFACE.paths),
    'Current release: 2.0.0 (March 2026), a complete rewrite of the external interface.': shown(
      INTERFACE.status,
      INTERFACE.releases,
    ),
    'The previous version (1.0.0, path prefix `/api/external/v1`) is removed; requests to it return 404.': shown(
      INTERFACE.v1Gone,
    ),
    'Changes from v1 to v2:': explains('Introduces the table below it.'),
    'recipientEmail, recipientName | parties array of role, legalName, email': shown(CONTRACT.removedFields),
    'businessName | senderName (display name in e-mails)': shown(CONTRACT.removedFields, CONTRACT.mailed),
    'content as an object with a title | content as a plain text string': shown(CONTRACT.removedFields),
    'autoSign parameter | removed; every party signs individually': shown(CONTRACT.removedFields, CONTRACT.signed),
    'GET /contracts (list with status filter and pagination) | removed; use GET /contracts/{id}': shown(
      INTERFACE.notThere,
      INTERFACE.methods,
    ),
    'GET /contracts/{id}/pdf | removed': shown(INTERFACE.notThere),
    'initial status draft | initial status pending_signature': shown(CONTRACT.created),
    'New in v2: multi-party contracts (2 or more parties), automatic signing e-mails, signingProgress, per-party hasSigned, contractNumber, signatures array, and the status `partially_signed`.':
      shown(CONTRACT.created, CONTRACT.signed, CONTRACT.wholeStory),
    'Breaking changes are marked as such in the release history, which lists version, date and changes.': shown(
      INTERFACE.releases,
    ),
  },
}
