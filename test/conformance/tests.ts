// The tests that show the specification, by name. [docs/specification.md]
import { testsOf } from './evidence.js'

const story = testsOf('test/e2e/api/conformance.e2e.test.ts')
const mainJob = testsOf('test/e2e/ceremony/main-job.e2e.test.ts')
const edge = testsOf('services/gateway/src/edge/edge.int.test.ts')
const http = testsOf('services/gateway/src/edge/http-syntax.int.test.ts')
const consoleStory = testsOf('test/e2e/console/console.e2e.test.ts')
const consoleSteps = testsOf('services/gateway/src/console/console.int.test.ts')
const keys = testsOf('services/gateway/src/keys/keys.int.test.ts')
const apiKey = testsOf('services/gateway/src/keys/api-key.unit.test.ts')
const router = testsOf('services/gateway/src/edge/endpoints.unit.test.ts')
const usage = testsOf('services/gateway/src/usage/recorder.int.test.ts')
const window = testsOf('services/gateway/src/rate-limit/sliding-window.unit.test.ts')
const contract = testsOf('services/contract/src/domain/contract.unit.test.ts')
const rest = testsOf('services/contract/src/api/rest-router.int.test.ts')
const creation = testsOf('services/contract/src/store/create-contract.int.test.ts')
const store = testsOf('services/contract/src/store/contract-store.int.test.ts')
const codes = testsOf('services/signing/src/codes/verification-code.int.test.ts')
const blocks = testsOf('services/signing/src/contract-text/blocks.unit.test.ts')
const mails = testsOf('services/notification/src/compose/contract-mail.unit.test.ts')
const deliveries = testsOf('services/notification/src/queue/delivery-worker.int.test.ts')

/** The contract over POST and GET. */
export const CONTRACT = {
  created: story('has the fields of the specification and no other, each in its shape, under success and contract'),
  order: story('keeps the parties in the order sent, with any text as role, and in their own fields only'),
  types: story('takes each of the eight types and no other [Contract types (allowed values of contractType)]'),
  required: story(
    'needs two parties, each with role, legalName and email, a type and a text; the rest is optional [POST /contracts]',
  ),
  mailed: story(
    'mails the link to every party, from the sender name or else the account name; nothing else is sent [Events]',
  ),
  lifetimes: story(
    'lives 14 days in production, an hour in the sandbox; both are marked in the key [Environments, Limits]',
  ),
  signed: story('goes from pending_signature over partially_signed to signed, with progress, parties and signatures'),
  expired: story('is expired by time, from either open status and in the sandbox, and its link with it'),
  cancelled: story('is cancelled by the operator before all have signed, and stays so'),
  unknown: story(
    'is the same answer, but for the request id, for what is unknown, of another account, of the other environment [D5]',
  ),
  bodies: story(
    'a body of POST /contracts to the letter, through the gateway [POST /contracts, D5, D6, D7, D11, D14, D18]',
  ),
  wholeStory: mainJob('takes one POST to three mails, three signatures and the status signed [What the service does]'),
  cancelledByCommand: mainJob(
    'cancels a contract on the command line; nobody can sign it any more [States and transitions, D19]',
  ),
  transitions: contract('every state × every command [States and transitions, D19, D20, D41]'),
  final: contract('has no way out of a final state [States and transitions]'),
  percentage: contract('rounds the percentage to two decimals [SigningProgress, D13]'),
  fields: rest('answers 201 with every field of the specification, and Location [POST /contracts, D1]'),
  faults: rest(
    'a field that breaks a rule is a 400 that names it and echoes nothing [POST /contracts, D6, D11, D12, D14]',
  ),
  bothSizes: rest('names both sizes when the content is too long [D7]'),
  bounds: rest('takes what is exactly at the bounds [D11]'),
  removedFields: rest('refuses the removed %s and names what replaced it'),
  shapes: creation(
    'gives the three names their shapes and the lifetime of the environment [Contract, D21, Environments]',
  ),
  byteForByte: creation('keeps the text byte for byte and the parties in the order sent [POST /contracts, D14]'),
  expiredUnswept: store(
    'says expired before the sweep, dates the event at expiresAt, and tells it once under two sweeps [D20, F23]',
  ),
  lastTwo: store('lets two last parties sign at once: two signatures, one completion'),
} as const

/** The ceremony and its mails, as far as the specification speaks of them. */
export const CEREMONY = {
  code: codes('opens a session for the right code, once, however it is grouped [D16]'),
  strangersCode: codes(
    'never accepts the code that was made for a stranger, and keeps strangers out of the chain [D16, D30]',
  ),
  stranger: mainJob('answers a stranger at the link with the same page as a party, and sends them nothing [D16, D29]'),
  headings: blocks('headings [ceremony: plain text rule 3]'),
  gaps: blocks('gaps [ceremony: plain text rule 8]'),
  invitation: mails(
    'names in both languages the sender, the role, the contract, the deadline and the link [Events, D23, D25, D36]',
  ),
  oneMailEach: deliveries('sends one mail to each party and records it; adding them again sends none [F9, I8]'),
} as const

/** Paths, methods, keys, errors, window, quota. */
export const INTERFACE = {
  table: router("holds the specification's table: scopes and quota weights [Endpoints]"),
  paths: router('paths match byte for byte on the raw target [Endpoints, D5]'),
  tiers: story('%s: %i a minute, %i a month'),
  defaultScopes: story('gives a key both scopes when nothing is said of scopes'),
  sandboxLimits: story(
    'gives the sandbox limits of its own: 60 a minute, 1,000 a month, whatever the tier [Environments, D8]',
  ),
  refusals: story('answers 429 from the call beyond the limit on; Reset says for how long [Errors, Limits]'),
  status: story('answers /status with its fields at the top, for a key of no matter what, and costs nothing'),
  usage: story('shows the calendar month in UTC and counts every call by its label, with weights 1, 1, 0, 0'),
  notThere: story('has no list, no PDF and no cancellation, and looks at no query [GET /status, Versioning]'),
  everyAnswer: story('carries the three headers, and every failure a sentence in the field error'),
  scopes: edge('needs contracts:write to create, contracts:read to read and for usage, nothing for status'),
  statusFacts: edge('answers /status for a suspended and for an ended account, with the data of key and tier'),
  degraded: edge('says degraded, and 200, while a service behind is not ready'),
  subscriptions: edge(
    'lets a trial use the sandbox only, a past-due account both environments for 7 days, an ended one neither',
  ),
  exactWindow: edge(
    'admits the limit, shows what is left after each request, then answers 429 with Retry-After equal to Reset',
  ),
  sharedWindow: edge('is shared by the keys of an account, and apart for its sandbox'),
  slidingWindow: window(
    'admits iff fewer than the limit were admitted in the last 60 s, as a plain list would say, over random histories',
  ),
  waits: window('never refuses a lone client that sleeps as long as Reset says after a 429'),
  addressWindow: edge(
    'counts refused keys and unknown paths by client address, then answers 429; a good key is never refused there',
  ),
  errorBody: edge('has a sentence, a code and a request id of its own, and nothing that was sent'),
  order: testsOf('services/gateway/src/edge/edge-order.int.test.ts')(
    'of two errors the earlier in the list of D5 is answered, with its window, headers and body [D5, D6, D9]',
  ),
  noHttp: http('what is no request of HTTP/1.1 is a 400 with the one body, and the connection closes [Errors, D6, D9]'),
  noBody: http('ignores the body of a GET %s and never reads it as a request [GET /usage, GET /status]'),
  twoKeys: http('%s count as no key'),
  methods: http('a method that a path does not have is a 405 with Allow; it costs a slot and is not counted [D5, D9]'),
  v1Gone: http(
    'version 1 is gone for every path and method, whatever else is wrong, and is never counted [Versioning, D9]',
  ),
  brokenBody: http('a body that breaks or stays away is answered with the window of its key [Limits, D9]'),
  badKeys: keys('gets the same answer, whatever makes it invalid'),
  shownOnce: keys('is a hash, the start and the end'),
  ownersWay: consoleStory(
    'leads the owner of a client platform from nothing to a first test contract, without a human [D38]',
  ),
  application: consoleSteps('leads from application to approval, plan and key, and notifies the owner by mail'),
  keyOnce: consoleSteps('is shown once, in the response to the form, and is never stored in clear text'),
  operator: keys('create, list, show and revoke'),
  revoked: keys('stops working when it is revoked, as soon as the gateway is notified'),
  keyFormat: apiKey('marks the environment in the prefix, then 32 + 6 characters of base62'),
  billing: usage('bills 2xx and 304, and says so; never a failed call'),
  counting: usage('adds up to what was answered, over a mixed run of many at once'),
  months: usage("shows the month of the store's clock, and no other month's calls"),
  overage: usage('serves production calls and counts them as overage'),
  environmentsApart: usage('keeps production and sandbox apart [D10]'),
  stop: usage('over the quota [D4]'),
  period: testsOf('services/gateway/src/usage/billing-period.unit.test.ts')(
    'puts %s into %s, from its first instant to its last millisecond [Usage, F26]',
  ),
  releases: testsOf('test/docs-in-sync/release-history.unit.test.ts')(
    'lists version, date and changes of the interface, and marks what breaks [Versioning]',
  ),
} as const
