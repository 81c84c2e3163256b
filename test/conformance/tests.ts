// The tests that show the specification, by title. [docs/specification.md]
import { testsOf } from './evidence.js'

const scenario = testsOf('test/e2e/api/conformance.e2e.test.ts')
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
  created: scenario('has the fields of the specification and no other, each in its format, under success and contract'),
  order: scenario('keeps the parties in the order sent, with any text as role, and in their own fields only'),
  types: scenario('accepts each of the eight types and no other [Contract types (allowed values of contractType)]'),
  required: scenario(
    'requires two parties, each with role, legalName and email, a type and a text; the rest is optional [POST /contracts]',
  ),
  mailed: scenario(
    'causes a mail with the link to every party, from the sender name or else the account name, and no other mail [Events]',
  ),
  lifetimes: scenario(
    'lasts 14 days in production, an hour in the sandbox; both are marked in the key [Environments, Limits]',
  ),
  signed: scenario(
    'changes from pending_signature over partially_signed to signed, with progress, parties and signatures',
  ),
  expired: scenario('expires by time, from either open status and in the sandbox, together with its link'),
  cancelled: scenario('is cancelled by the operator before all have signed, and stays cancelled'),
  unknown: scenario(
    'is the same error, except for the request id, for unknown ids, another account and the other environment [D5]',
  ),
  bodies: scenario(
    'POST /contracts handles each exact body, through the gateway [POST /contracts, D5, D6, D7, D11, D14, D18]',
  ),
  wholeStory: mainJob('one POST causes three mails, three signatures and the status signed [What the service does]'),
  cancelledByCommand: mainJob(
    'the command line cancels a contract, and no party can sign it afterwards [States and transitions, D19]',
  ),
  transitions: contract('every state × every command [States and transitions, D19, D20, D41]'),
  final: contract('a contract cannot leave a final state [States and transitions]'),
  percentage: contract('the percentage is rounded to two decimals [SigningProgress, D13]'),
  fields: rest('POST /contracts answers 201 with every field of the specification, and Location [POST /contracts, D1]'),
  faults: rest(
    'a field that breaks a rule is a 400 that names it and echoes nothing [POST /contracts, D6, D11, D12, D14]',
  ),
  bothSizes: rest('names both sizes when the content is too long [D7]'),
  bounds: rest('accepts values exactly at the bounds [D11]'),
  removedFields: rest('refuses the removed %s and names its replacement'),
  shapes: creation(
    'a created contract has the formats of the three identifiers and the lifetime of its environment [Contract, D21, Environments]',
  ),
  byteForByte: creation(
    'a contract keeps the text byte for byte and the parties in the order sent [POST /contracts, D14]',
  ),
  expiredUnswept: store(
    'a contract reads expired before the sweep, dates the event at expiresAt, and publishes it once under two sweeps [D20, F23]',
  ),
  lastTwo: store('lets the last two parties sign at the same time: two signatures, one completion'),
} as const

/** The ceremony and its mails, as far as the specification describes them. */
export const CEREMONY = {
  code: codes('the right code opens a session, once, with any grouping of its digits [D16]'),
  strangersCode: codes(
    'a code created for a stranger is never accepted, and strangers never appear in the chain [D16, D30]',
  ),
  stranger: mainJob('a stranger at the link gets the same page as a party, and no mail [D16, D29]'),
  headings: blocks('headings [ceremony: plain text rule 3]'),
  gaps: blocks('gaps [ceremony: plain text rule 8]'),
  invitation: mails(
    'names in both languages the sender, the role, the contract, the deadline and the link [Events, D23, D25, D36]',
  ),
  oneMailEach: deliveries(
    'the worker sends one mail to each party and records it; adding them again sends none [F9, I8]',
  ),
} as const

/** Paths, methods, keys, errors, window, quota. */
export const INTERFACE = {
  table: router('the endpoint table has the scopes and quota weights of the specification [Endpoints]'),
  paths: router('paths match byte for byte on the raw target [Endpoints, D5]'),
  tiers: scenario('allows %s %i calls a minute, %i a month'),
  defaultScopes: scenario('grants a key both scopes if none are requested'),
  sandboxLimits: scenario(
    'gives the sandbox its own limits: 60 a minute, 1,000 a month, whatever the tier [Environments, D8]',
  ),
  refusals: scenario('answers 429 to every call beyond the limit; Reset states for how long [Errors, Limits]'),
  status: scenario('answers /status with its fields at the top level, for a key with any scopes, at no cost'),
  usage: scenario('shows the calendar month in UTC and counts every call by its label, with weights 1, 1, 0, 0'),
  notThere: scenario('has no list, no PDF and no cancellation, and ignores every query [GET /status, Versioning]'),
  everyAnswer: scenario('contains the three headers, and every failure an error message in the field error'),
  scopes: edge('requires contracts:write to create, contracts:read to read and for usage, no scope for status'),
  statusFacts: edge(
    'includes /status for suspended accounts and accounts without a plan, with the data of key and tier',
  ),
  degraded: edge('reports degraded with 200 while a service behind the gateway is not ready'),
  subscriptions: edge(
    'is limited to the sandbox in a trial, lasts 7 days in both environments when past due, and then ends',
  ),
  exactWindow: edge(
    'admits the limit, shows the remaining calls after each request, then answers 429 with Retry-After equal to Reset',
  ),
  sharedWindow: edge('is shared by the keys of an account, and separate for its sandbox'),
  slidingWindow: window(
    'admits iff fewer than the limit were admitted in the last 60 s, like a plain list, over random histories',
  ),
  waits: window('never refuses a single client that sleeps until Reset after a 429'),
  addressWindow: edge(
    'is counted by client address like unknown paths, then answered 429; a valid key is never refused there',
  ),
  errorBody: edge('has an error message, a code and its own request id, and repeats nothing from the request'),
  order: testsOf('services/gateway/src/edge/edge-order.int.test.ts')(
    'of two errors the gateway answers the one that D5 lists first, with its window, headers and body [D5, D6, D9]',
  ),
  noHttp: http(
    'a malformed HTTP/1.1 request gets a 400 with the standard body, and the connection closes [Errors, D6, D9]',
  ),
  noBody: http('ignores the body of a GET %s and never reads it as a request [GET /usage, GET /status]'),
  twoKeys: http('do not authenticate as %s'),
  methods: http('a method that a path does not have is a 405 with Allow; it uses a slot and is not counted [D5, D9]'),
  v1Gone: http(
    'version 1 is answered 404 version_removed for every path and method, despite other errors, and is never counted [Versioning, D9]',
  ),
  brokenBody: http('a broken or missing body is answered with the window of its key [Limits, D9]'),
  badKeys: keys('gets the same answer, whatever the reason'),
  shownOnce: keys('is a hash, the start and the end'),
  ownersWay: consoleStory(
    'the console leads the owner of a client platform to a first test contract, without manual help [D38]',
  ),
  application: consoleSteps('leads from application to approval, plan and key, and notifies the owner by mail'),
  keyOnce: consoleSteps('is shown once, in the response to the form, and is never stored in clear text'),
  operator: keys('create, list, show and revoke'),
  revoked: keys('is refused after its revocation, as soon as the gateway is notified'),
  keyFormat: apiKey('marks the environment in the prefix, then 32 + 6 characters of base62'),
  billing: usage('bills 2xx and 304 and reports it in the headers; failed calls are never billed'),
  counting: usage('counts every answered call of a mixed, concurrent load'),
  months: usage("uses the month of the store's clock, and excludes calls of other months"),
  overage: usage('answers production calls and counts them as overage'),
  environmentsApart: usage('counts production and sandbox separately [D10]'),
  stop: usage('the gateway, over the quota [D4]'),
  period: testsOf('services/gateway/src/usage/billing-period.unit.test.ts')(
    'the call at %s belongs to the month %s, from its first instant to its last millisecond [Usage, F26]',
  ),
  releases: testsOf('test/docs-in-sync/release-history.unit.test.ts')(
    'the release history lists version, date and changes of the interface, and marks breaking changes [Versioning]',
  ),
} as const
