/** Headers between our own processes; the gateway removes them from the requests of clients. [D17, D45] */
export const INTERNAL_HEADERS = {
  /** Set by the gateway, unique per request. [D17] */
  requestId: 'x-paraph-request-id',
  /** The page about the error codes, for the `type` of an error body. */
  errorsUrl: 'x-paraph-errors-url',
  /** `1` on the gateway's own single retry. [D17] */
  retry: 'x-paraph-retry',
  /** `1` on a POST that may only replay the contract of its Idempotency-Key, and create none. [D17] */
  replayOnly: 'x-paraph-replay-only',
  /** The client's address as the gateway sees it; trusted only with a service token of the gateway. [D45] */
  clientAddress: 'x-paraph-client-address',
} as const
