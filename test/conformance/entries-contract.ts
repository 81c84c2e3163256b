// Maps the sentences of the specification to tests: from its beginning to States and transitions.
import { decided, explains, shown, shownBut, type Entries } from './evidence.js'
import { CEREMONY, CONTRACT, INTERFACE } from './tests.js'

export const CONTRACT_ENTRIES: Entries = {
  'Multi-Party Contract Signing API Specification': {
    'This document covers all nine parts of the interface of the service: a contract service in which a client platform creates contracts with two or more signing parties, the service e-mails each party a signing link, and the client tracks signing progress by polling.':
      shown(CONTRACT.wholeStory),
    'One document covers everything.': explains('Says how the specification is laid out.'),
    'Base address: `{base_url}` (the version segment `v2` is part of it).': shown(INTERFACE.paths),
    'Share links use `{share_base_url}`.': shown(CONTRACT.created, CONTRACT.wholeStory),
  },

  'What the service does': {
    'A client creates a multi-party contract.': shown(CONTRACT.wholeStory),
    'It sends a list of parties (at least 2), a contract type and plain-text content.': shown(CONTRACT.required),
    'On creation the service sends a signing e-mail to every party.': shown(CONTRACT.wholeStory, CEREMONY.oneMailEach),
    'All parties use one shared link to view and sign the contract.': shown(CONTRACT.wholeStory),
    'At the link, a party verifies their e-mail address with a one-time code sent to the e-mail address on file.':
      shown(CONTRACT.wholeStory, CEREMONY.code, CEREMONY.strangersCode, CEREMONY.stranger),
    'The party then reviews the full contract and signs.': shown(CONTRACT.wholeStory),
    'The client reads contract details and signing progress with a GET request (polling).': shown(CONTRACT.signed),
    'The client can read its own usage and quota, and check service health.': shown(INTERFACE.usage, INTERFACE.status),
    'Access needs an approved application and a paid subscription tier.': shownBut(
      'Nothing is charged here: what the operator grants counts as paid, and a trial may use the sandbox.',
      INTERFACE.application,
      INTERFACE.subscriptions,
    ),
    'Keys exist for a production and a sandbox environment.': shown(INTERFACE.keyFormat, CONTRACT.lifetimes),
  },

  'Resources and their fields': {
    'Every successful response to the contract and usage endpoints has the top-level boolean `success` (true) plus one key holding the resource (`contract` or `usage`).':
      shown(CONTRACT.created, CONTRACT.signed, INTERFACE.usage),
  },

  'Contract (response of POST /contracts)': {
    'id | string | Contract identifier. Shape: the prefix `contract-`, then a millisecond timestamp, then a short random suffix.':
      shown(CONTRACT.created, CONTRACT.shapes),
    'contractNumber | string | Human-readable number. Shape: `EXT-<YYYYMMDD>-<8 uppercase characters>`.': shown(
      CONTRACT.created,
      CONTRACT.shapes,
    ),
    'shareToken | string | Token in the share link.': shown(CONTRACT.created),
    'shareUrl | string | `{share_base_url}/contract/<share_token>`; the same link for all parties.': shown(
      CONTRACT.created,
      CONTRACT.wholeStory,
    ),
    'status | string | One of the statuses in States and transitions. Starts as `pending_signature`.': shown(
      CONTRACT.created,
    ),
    'contractType | string | One of the contract types below.': shown(CONTRACT.types),
    'parties | array of Party | In the order sent.': shown(CONTRACT.order),
    'signingProgress | SigningProgress | ': shown(CONTRACT.created),
    'createdAt | string | ISO 8601 UTC timestamp with milliseconds.': shown(CONTRACT.created),
    'expiresAt | string | ISO 8601 UTC timestamp; 14 days after createdAt.': shown(
      CONTRACT.created,
      CONTRACT.lifetimes,
    ),
  },

  'Contract (response of GET /contracts/{id})': {
    'id | string | ': shown(CONTRACT.signed),
    'status | string | ': shown(CONTRACT.signed),
    'parties | array of Party | Each party also has `hasSigned` (boolean).': shown(CONTRACT.signed),
    'signingProgress | SigningProgress | ': shown(CONTRACT.signed),
    'signatures | array of Signature | One entry per signature made so far; empty or short until parties sign.': shown(
      CONTRACT.signed,
    ),
    'Whether the GET response also carries contractNumber, shareUrl, shareToken, contractType, createdAt, expiresAt, senderName, content or metadata: not shown.':
      decided('D1', CONTRACT.fields, CONTRACT.signed),
  },

  'Contract types (allowed values of contractType)': {
    '`nda` (non-disclosure agreement), `business` (general business contract), `employment` (employment agreement), `service` (service agreement), `custom` (custom contract), `sales-agreement`, `consignment-agreement`, `revenue-share`.':
      shown(CONTRACT.types),
  },

  Party: {
    "role | string | yes | Free text describing the party's role (for example buyer, seller, discloser, recipient).":
      shown(CONTRACT.order, CONTRACT.required),
    'legalName | string | yes | Full legal name.': shown(CONTRACT.required),
    'email | string | yes | E-mail address; the signing link is sent here.': shown(CONTRACT.required, CONTRACT.mailed),
    'hasSigned | boolean | response of GET only | true once this party has signed.': shown(
      CONTRACT.order,
      CONTRACT.signed,
    ),
  },

  SigningProgress: {
    'signed | integer | Parties that have signed.': shown(CONTRACT.signed),
    'total | integer | Number of parties.': shown(CONTRACT.signed),
    'pending | integer | total minus signed.': shown(CONTRACT.signed),
    'percentage | number | Share of parties signed, 0 to 100 (50 when 1 of 2 have signed).': shown(
      CONTRACT.signed,
      CONTRACT.percentage,
    ),
  },

  Signature: {
    'signerEmail | string | E-mail of the signer.': shown(CONTRACT.signed),
    'signerName | string | Legal name of the signer.': shown(CONTRACT.signed),
    'signerRole | string | Role of the signer.': shown(CONTRACT.signed),
    'signedAt | string | ISO 8601 UTC timestamp.': shown(CONTRACT.signed),
  },

  'Status response (GET /status)': {
    "Top-level fields (not wrapped in `contract`): `status` (string; the value `operational` is returned when healthy) and `subscription` (object with `tier`, a lowercase tier name such as the Startup tier's name).":
      shown(INTERFACE.status, INTERFACE.tiers, INTERFACE.degraded),
    'The response also carries information about the key; its fields beyond these two: not shown.': decided(
      'D2',
      INTERFACE.statusFacts,
      INTERFACE.status,
    ),
  },

  'Usage (response of GET /usage, under usage)': {
    'period | string | Billing month, format `YYYY-MM`.': shown(INTERFACE.usage, INTERFACE.period),
    'totalCalls | integer | ': shown(INTERFACE.usage, INTERFACE.counting),
    'billableCalls | integer | ': shown(INTERFACE.usage, INTERFACE.billing),
    'quotaLimit | integer | Monthly quota of the tier.': shown(INTERFACE.tiers),
    'remaining | integer | Quota left in the period.': shown(INTERFACE.usage, INTERFACE.overage),
    'overageCalls | integer | ': shown(INTERFACE.usage, INTERFACE.overage),
    'endpointBreakdown | object | Keys are endpoint labels of the form `<METHOD> <path>` (for example the create endpoint and the get endpoint with `:id`); values are integer call counts.':
      shown(INTERFACE.usage, INTERFACE.counting),
    'periodStart | string | ISO 8601 UTC timestamp, first instant of the month.': shown(
      INTERFACE.usage,
      INTERFACE.period,
    ),
    'periodEnd | string | ISO 8601 UTC timestamp, last millisecond of the month.': shown(
      INTERFACE.usage,
      INTERFACE.period,
    ),
    'The exact rule relating totalCalls to billableCalls: not shown.': decided(
      'D3',
      INTERFACE.counting,
      INTERFACE.billing,
      INTERFACE.usage,
    ),
    'The exact rule for overageCalls: not shown.': decided('D4', INTERFACE.overage, INTERFACE.stop),
  },

  'States and transitions': {
    'Statuses: `pending_signature`, `partially_signed`, `signed`, `expired`, `cancelled`.': shown(
      CONTRACT.signed,
      CONTRACT.expired,
      CONTRACT.cancelled,
    ),
    'pending_signature | Created, signing e-mails sent, waiting for signatures. Initial status of every new contract.':
      shown(CONTRACT.created, CONTRACT.mailed),
    'partially_signed | At least one party, not all, has signed.': shown(CONTRACT.signed, CONTRACT.wholeStory),
    'signed | All parties have signed.': shown(CONTRACT.signed, CONTRACT.lastTwo),
    'expired | Not fully signed within 14 days of creation; set automatically.': shown(
      CONTRACT.expired,
      CONTRACT.expiredUnswept,
    ),
    'cancelled | Cancelled manually before all parties signed.': shown(CONTRACT.cancelled),
    '(creation) | POST /contracts | valid request | pending_signature | signing e-mails sent to all parties; signingProgress is 0 of total':
      shown(CONTRACT.created, CONTRACT.mailed),
    "pending_signature | a party signs at the share link | at least one but not all parties signed | partially_signed | signingProgress and the party's hasSigned update; a signature entry is added":
      shown(CONTRACT.signed, CONTRACT.transitions),
    'partially_signed | the last unsigned party signs | all parties signed | signed | signingProgress percentage becomes 100':
      shown(CONTRACT.signed, CONTRACT.transitions),
    'pending_signature or partially_signed | time | 14 days after creation without all signatures | expired | automatic; the share link expires with the contract':
      shown(CONTRACT.expired, CONTRACT.transitions),
    'pending_signature or partially_signed | manual cancellation | before all parties signed | cancelled | ': shown(
      CONTRACT.cancelled,
      CONTRACT.cancelledByCommand,
      CONTRACT.transitions,
    ),
    'The operation or actor that performs a cancellation: not shown.': decided(
      'D19',
      CONTRACT.cancelledByCommand,
      INTERFACE.notThere,
    ),
    'signed, expired and cancelled are final for polling clients.': shown(
      CONTRACT.final,
      CONTRACT.signed,
      CONTRACT.expired,
      CONTRACT.cancelled,
    ),
    'Sandbox contracts auto-expire after 1 hour.': shown(CONTRACT.lifetimes, CONTRACT.expired),
  },
}
