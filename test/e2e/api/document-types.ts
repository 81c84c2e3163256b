// Generated from docs/openapi.json by openapi-typescript; `npm run update -- openapi` writes it anew.
export interface paths {
  '/contracts': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    get?: never
    put?: never
    /**
     * Create a contract
     * @description Creates a contract with two or more parties and sends each of them an email with the share link. Send an `Idempotency-Key` to retry safely. Scope: `contracts:write`. Quota weight: 1.
     */
    post: operations['createContract']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/contracts/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    /**
     * Get a contract
     * @description Returns the contract and who has signed. Poll it until `status` is final. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed. Add `Prefer: wait=30` to wait for a change. Scope: `contracts:read`. Quota weight: 1.
     */
    get: operations['getContract']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/usage': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    /**
     * Get usage and quota
     * @description Counts the calls of your account in the environment of the key, including this one. Over the quota, `overageCalls` grows and `remaining` stays 0. Scope: `contracts:read`. Quota weight: 0.
     */
    get: operations['getUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/status': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    /**
     * Check a key and the service
     * @description Shows whether the key is valid and what it may do. Also works for suspended accounts. No scope is needed. Quota weight: 0.
     */
    get: operations['getStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * @description The body of every response that is not 2xx or 304. Decide by `code`; if you do not know the code, decide by the status.
     * @example {
     *       "error": "Version 1 of this interface was removed. Use /api/external/v2.",
     *       "code": "version_removed",
     *       "requestId": "5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11",
     *       "type": "/docs/errors#version_removed"
     *     }
     */
    ApiError: {
      /** @description For a person: what happened and what to do. The wording may change. */
      error: string
      code: components['schemas']['ErrorCode']
      /** @description Identifies this request in the logs of the operator. */
      requestId: string
      /**
       * Format: uri-reference
       * @description The page about `code`, as in RFC 9457.
       */
      type?: string
      /** @description Only with `invalid_request`: every broken rule. */
      issues?: components['schemas']['Issue'][]
    }
    /** @description For your program: what happened. A code keeps its meaning, and new codes may come. */
    ErrorCode: string
    /** @description One broken rule. */
    Issue: {
      /** @description The field, such as `parties[1].email`, or the name of a header. Empty for the whole body. */
      path: string
      /** @description What to do. */
      message: string
    }
    /** @description A person who has to sign. */
    PartyInput: {
      /** @description Role of the party in your own words, such as Buyer. Spaces at either end are removed. Invisible characters, `://` and `www.` are refused. */
      role: string
      /** @description Full legal name. The same rules as for `role`. */
      legalName: string
      /**
       * Format: idn-email
       * @description Where the share link and the one-time codes are sent. One address without a name: up to 64 ASCII characters without quotes before the @, then a domain with a dot, in any script.
       * @example legal@nordicfoods.example
       */
      email: string
    }
    /**
     * @description Kind of contract.
     * @example nda
     * @enum {string}
     */
    ContractType:
      | 'nda'
      | 'business'
      | 'employment'
      | 'service'
      | 'custom'
      | 'sales-agreement'
      | 'consignment-agreement'
      | 'revenue-share'
    /** @description The new contract. */
    CreatedContractAnswer: {
      /** @description Always true. */
      success: boolean
      contract: components['schemas']['CreatedContract']
    }
    /** @description The new contract. */
    CreatedContract: {
      /**
       * @description Identifier of the contract.
       * @example contract-1795183380000-k3v9x2m1q
       */
      id: string
      /**
       * @description Human-readable number with the UTC date of creation.
       * @example EXT-20261120-7KQ4MXTA
       */
      contractNumber: string
      /**
       * @description The secret part of the share link. Anyone who has it can open the link, so keep it out of logs.
       * @example vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq
       */
      shareToken: string
      /**
       * Format: uri
       * @description The share link, where the parties read and sign. It is the same for all parties. GET /contracts/{id} does not return it.
       */
      shareUrl: string
      status: components['schemas']['ContractStatus']
      contractType: components['schemas']['ContractType']
      /** @description The parties, in the order of the request. */
      parties: components['schemas']['Party'][]
      signingProgress: components['schemas']['SigningProgress']
      /**
       * Format: date-time
       * @description When the contract was created.
       * @example 2026-11-20T14:03:00.000Z
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the contract expires: 14 days after `createdAt`, 1 hour in the sandbox. Nobody can sign after that.
       * @example 2026-11-20T14:03:00.000Z
       */
      expiresAt: string
    }
    /**
     * @description `pending_signature`: nobody has signed. `partially_signed`: at least one party has. `signed`, `expired` and `cancelled` are final.
     * @example pending_signature
     * @enum {string}
     */
    ContractStatus: 'pending_signature' | 'partially_signed' | 'signed' | 'expired' | 'cancelled'
    /** @description A person who has to sign. */
    Party: {
      /** @description Role of the party, without spaces at either end. */
      role: string
      /** @description Full legal name, without spaces at either end. */
      legalName: string
      /** @description Email address. Same as in the request. */
      email: string
    }
    /** @description Signing progress. */
    SigningProgress: {
      /** @description Parties that have signed. */
      signed: number
      /** @description Number of parties. */
      total: number
      /** @description `total` minus `signed`. */
      pending: number
      /** @description Share of parties that have signed, rounded to two decimals. */
      percentage: number
    }
    /** @description A contract. */
    ContractAnswer: {
      /** @description Always true. */
      success: boolean
      contract: components['schemas']['Contract']
    }
    /** @description A contract in its current state. */
    Contract: {
      /**
       * @description Identifier of the contract.
       * @example contract-1795183380000-k3v9x2m1q
       */
      id: string
      status: components['schemas']['ContractStatus']
      /** @description The parties, in the order of the request. */
      parties: components['schemas']['PartyWithState'][]
      signingProgress: components['schemas']['SigningProgress']
      /** @description One entry per signature, oldest first. */
      signatures: components['schemas']['Signature'][]
      /**
       * @description Human-readable number with the UTC date of creation.
       * @example EXT-20261120-7KQ4MXTA
       */
      contractNumber: string
      contractType: components['schemas']['ContractType']
      /** @description Name of the sender in the emails. */
      senderName: string
      /** @description Same as in the request; empty if the request had none. */
      metadata: { [key: string]: string }
      /**
       * Format: date-time
       * @description When the contract was created.
       * @example 2026-11-20T14:03:00.000Z
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the contract expires. Nobody can sign after that.
       * @example 2026-11-20T14:03:00.000Z
       */
      expiresAt: string
      /**
       * Format: date-time
       * @description When the last party signed; null before that.
       * @example 2026-11-20T14:03:00.000Z
       */
      completedAt: string | null
      /**
       * Format: date-time
       * @description When the contract became `signed`, `expired` or `cancelled`; null before that.
       * @example 2026-11-20T14:03:00.000Z
       */
      endedAt: string | null
      /** @description Why the contract was cancelled; null if it was not, or if nobody gave a reason. */
      cancelReason: string | null
    }
    /** @description A person who has to sign or has signed. */
    PartyWithState: {
      /** @description Role of the party, without spaces at either end. */
      role: string
      /** @description Full legal name, without spaces at either end. */
      legalName: string
      /** @description Email address. Same as in the request. */
      email: string
      /** @description Whether this party has signed. */
      hasSigned: boolean
      delivery: components['schemas']['Delivery']
      /**
       * Format: date-time
       * @description When this party declined to sign; null if it has not.
       * @example 2026-11-20T14:03:00.000Z
       */
      declinedAt: string | null
    }
    /**
     * @description Where the invitation stands. `pending`: not sent yet. `sent`: the mail server accepted it. `delayed`: tried for more than 5 minutes, and tried again. `refused`: not accepted for good; check the address with the party.
     * @example sent
     * @enum {string}
     */
    Delivery: 'pending' | 'sent' | 'delayed' | 'refused'
    /** @description A signature. */
    Signature: {
      /** @description Email address of the party. */
      signerEmail: string
      /** @description Legal name of the party. */
      signerName: string
      /** @description Role of the party. */
      signerRole: string
      /**
       * Format: date-time
       * @description When the party signed.
       * @example 2026-11-20T14:03:00.000Z
       */
      signedAt: string
    }
    /** @description A new contract. Unknown fields are ignored, except those of version 1 (recipientEmail, recipientName, businessName, autoSign), which are refused. */
    CreateContract: {
      /** @description The people who sign. One person may have two roles. Two parties with the same role, name and email address are refused. */
      parties: components['schemas']['PartyInput'][]
      contractType: components['schemas']['ContractType']
      /**
       * @description The whole contract as plain text in UTF-8. Numbered or upper-case lines become headings, blank lines separate paragraphs.
       * @example NON-DISCLOSURE AGREEMENT
       *
       *     1. PURPOSE
       *
       *     The parties keep secrets secret.
       */
      content: string
      /** @description Name of the sender in the emails. Default: the name of your account. An @, a web address, the name Paraph and a final "via" are refused. */
      senderName?: string
      /**
       * @description Your own data, such as an order number. Keys have 1 to 40 characters, values up to 500. GET returns it; the parties never see it.
       * @example {
       *       "orderId": "10442"
       *     }
       */
      metadata?: { [key: string]: string }
    }
    /** @description The usage. */
    UsageAnswer: {
      /** @description Always true. */
      success: boolean
      usage: components['schemas']['Usage']
    }
    /** @description The usage of the account in the environment of the key. */
    Usage: {
      /**
       * @description Billing period: a calendar month in UTC.
       * @example 2026-11
       */
      period: string
      /**
       * Format: int64
       * @description All calls with a valid key that the rate limit admitted, whatever the response. Includes this call.
       */
      totalCalls: number
      /**
       * Format: int64
       * @description Calls that count against the quota: the weights of all responses with 2xx. Refusals, replays and 304 are free.
       */
      billableCalls: number
      /**
       * Format: int64
       * @description Monthly quota of the plan.
       */
      quotaLimit: number
      /**
       * Format: int64
       * @description `quotaLimit` minus `billableCalls`, at least 0.
       */
      remaining: number
      /**
       * Format: int64
       * @description `billableCalls` minus `quotaLimit`, at least 0.
       */
      overageCalls: number
      /**
       * @description `totalCalls` by endpoint. Endpoints without calls are absent.
       * @example {
       *       "POST /contracts": 12,
       *       "GET /contracts/:id": 88
       *     }
       */
      endpointBreakdown: { [key: string]: number }
      /**
       * Format: date-time
       * @description Start of the period.
       * @example 2026-11-20T14:03:00.000Z
       */
      periodStart: string
      /**
       * Format: date-time
       * @description End of the period: its last millisecond.
       * @example 2026-11-20T14:03:00.000Z
       */
      periodEnd: string
    }
    /** @description The service and the key. */
    Status: {
      status: components['schemas']['ServiceStatus']
      subscription: components['schemas']['Subscription']
      key: components['schemas']['Key']
      limits: components['schemas']['Limits']
      /**
       * @description Version of the API.
       * @example 2.0.0
       */
      version: string
    }
    /**
     * @description `degraded` while a part of the service is not ready. The HTTP status is 200 in both cases.
     * @enum {string}
     */
    ServiceStatus: 'operational' | 'degraded'
    /** @description The subscription of the account. */
    Subscription: {
      /**
       * @description Name of the plan in lower case.
       * @example startup
       */
      tier: string
      status: components['schemas']['SubscriptionStatus']
    }
    /**
     * @description `trial`: only sandbox keys work. `ended`: every other call is refused.
     * @enum {string}
     */
    SubscriptionStatus: 'active' | 'trial' | 'past_due' | 'ended'
    /** @description The key of this request. */
    Key: {
      /** @description Identifier of the key. It is not secret. */
      id: string
      /** @description Name of the key. */
      name: string
      environment: components['schemas']['Environment']
      /** @description What the key may do. */
      scopes: components['schemas']['Scope'][]
      /**
       * Format: date-time
       * @description When the key was created.
       * @example 2026-11-20T14:03:00.000Z
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the key expires; null if it does not expire.
       * @example 2026-11-20T14:03:00.000Z
       */
      expiresAt: string | null
    }
    /**
     * @description Contracts of `production` are legally binding, those of `sandbox` are not.
     * @enum {string}
     */
    Environment: 'production' | 'sandbox'
    /** @enum {string} */
    Scope: 'contracts:read' | 'contracts:write'
    /** @description The limits of the plan. */
    Limits: {
      /**
       * Format: int64
       * @description Rate limit of the account in this environment: requests in any 60 seconds.
       */
      requestsPerMinute: number
      /**
       * Format: int64
       * @description Quota of the account in this environment: calls per calendar month.
       */
      monthlyQuota: number
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: {
    /**
     * @description Identifies this request for the operator, the same as `requestId` in the body of an error.
     * @example 5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11
     */
    'Paraph-Request-Id': string
    /**
     * @description Requests allowed in any 60 seconds.
     * @example 60
     */
    'RateLimit-Limit': number
    /**
     * @description Requests left after this one.
     * @example 59
     */
    'RateLimit-Remaining': number
    /**
     * @description Seconds until the oldest request of the last minute no longer counts.
     * @example 60
     */
    'RateLimit-Reset': number
    /**
     * @description The limits as in the draft of the IETF: `q` requests in `w` seconds; for a counted call also the quota of the month.
     * @example "minute";q=60;w=60, "month";q=5000;w=2592000
     */
    'RateLimit-Policy': string
    /**
     * @description What is left of each limit (`r`), and the seconds until there is more (`t`).
     * @example "minute";r=59;t=60, "month";r=4903;t=1209600
     */
    RateLimit: string
    /**
     * @description Seconds to wait before trying again.
     * @example 12
     */
    'Retry-After': number
    /**
     * @description The methods that the path supports.
     * @example GET, HEAD
     */
    Allow: string
    /**
     * @description What this call takes from the quota if it is billed: 1, or 0 for a replay and for 304.
     * @example 1
     */
    'Paraph-Quota-Weight': number
    /**
     * @description Whether this call was billed: only 2xx is, and replays are not.
     * @example true
     */
    'Paraph-Quota-Billable': 'true' | 'false'
    /**
     * @description What this call takes from the quota if it is billed: 1, or 0 for a replay and for 304. Absent if the call was refused before it was counted.
     * @example 1
     */
    'Paraph-Quota-Weight-If-Counted': number
    /**
     * @description Always false here. Absent if the call was refused before it was counted.
     * @example true
     */
    'Paraph-Quota-Billable-If-Counted': 'true' | 'false'
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  createContract: {
    parameters: {
      query?: never
      header?: {
        /** @description Your own name for this request, such as a UUID: 1 to 255 printable ASCII characters without a comma. Within 30 days, the same key with the same body, byte for byte, returns the same contract. */
        'Idempotency-Key'?: string
        /** @description `handling=strict` (RFC 7240): unknown fields are refused with 400 instead of ignored. Other preferences are ignored. */
        Prefer?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: { content: { 'application/json': components['schemas']['CreateContract'] } }
    responses: {
      /** @description The contract was created. Every party gets an email. */
      201: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Path of the new contract.
           * @example /api/external/v2/contracts/contract-1795183380000-k3v9x2m1q
           */
          Location: string
          /**
           * @description Present on a replay, which is not billed.
           * @example true
           */
          'Idempotency-Replayed'?: 'true'
          /**
           * @description Present if the request asked for strict handling.
           * @example handling=strict
           */
          'Preference-Applied'?: 'handling=strict'
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['CreatedContractAnswer'] }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `invalid_key`: there is no key, or more than one, or the key is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /**
       * @description `missing_scope`: the key does not have the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: the account has no paid subscription.
       */
      403: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `method_not_allowed`: the path does not support the method. */
      405: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `idempotency_in_progress`: a request with this Idempotency-Key is still running. */
      409: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `body_too_large`: the body has more than 512 KiB. */
      413: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `unsupported_media_type`: the body is not declared as uncompressed JSON in UTF-8. */
      415: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `idempotency_key_reused`: this Idempotency-Key was used with another body within 30 days. */
      422: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /**
       * @description `rate_limited`: the rate limit per minute is reached.
       *
       *     `quota_exceeded`: the monthly quota is used up, in the sandbox or in an account that stops at its quota.
       */
      429: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `internal_error`: an error on our side. */
      500: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `unavailable`: a part of the service is temporarily unavailable. */
      503: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
    }
  }
  getContract: {
    parameters: {
      query?: never
      header?: {
        /** @description One or more values of `ETag`. The response is 304 while one of them is current. */
        'If-None-Match'?: string
        /** @description `wait=N` (RFC 7240), together with `If-None-Match`: the response waits until the contract changes, at most N seconds. The maximum is 30. Other preferences are ignored. */
        Prefer?: string
      }
      path: {
        /** @description Identifier of the contract. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The contract in its current state. */
      200: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Changes whenever the body changes, also when the contract expires.
           * @example "vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEo"
           */
          ETag: string
          /**
           * @description When the contract last changed.
           * @example Fri, 20 Nov 2026 15:20:11 GMT
           */
          'Last-Modified': string
          /**
           * @description You may store the response, but ask again before you use it.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache'
          /**
           * @description Present if the response waited: the longest wait in seconds. If it is absent, pause for a second before you poll again.
           * @example wait=30
           */
          'Preference-Applied'?: string
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ContractAnswer'] }
      }
      /** @description Nothing has changed since the response with this `ETag`. No body. Free of charge. */
      304: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Changes whenever the body changes, also when the contract expires.
           * @example "vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEo"
           */
          ETag: string
          /**
           * @description When the contract last changed.
           * @example Fri, 20 Nov 2026 15:20:11 GMT
           */
          'Last-Modified': string
          /**
           * @description You may store the response, but ask again before you use it.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache'
          /**
           * @description Present if the response waited: the longest wait in seconds. If it is absent, pause for a second before you poll again.
           * @example wait=30
           */
          'Preference-Applied'?: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `invalid_key`: there is no key, or more than one, or the key is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /**
       * @description `missing_scope`: the key does not have the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: the account has no paid subscription.
       */
      403: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `not_found`: the account has no such contract in this environment, or there is no such path. */
      404: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `method_not_allowed`: the path does not support the method. */
      405: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /**
       * @description `rate_limited`: the rate limit per minute is reached.
       *
       *     `quota_exceeded`: the monthly quota is used up, in the sandbox or in an account that stops at its quota.
       */
      429: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `internal_error`: an error on our side. */
      500: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `unavailable`: a part of the service is temporarily unavailable. */
      503: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
    }
  }
  getUsage: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: {
      /** @description The usage so far. */
      200: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['UsageAnswer'] }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `invalid_key`: there is no key, or more than one, or the key is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /**
       * @description `missing_scope`: the key does not have the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: the account has no paid subscription.
       */
      403: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `method_not_allowed`: the path does not support the method. */
      405: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `rate_limited`: the rate limit per minute is reached. */
      429: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `internal_error`: an error on our side. */
      500: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `unavailable`: a part of the service is temporarily unavailable. */
      503: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
    }
  }
  getStatus: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: {
      /** @description The key is valid. */
      200: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['Status'] }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `invalid_key`: there is no key, or more than one, or the key is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `method_not_allowed`: the path does not support the method. */
      405: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `rate_limited`: the rate limit per minute is reached. */
      429: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `internal_error`: an error on our side. */
      500: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
      /** @description `unavailable`: a part of the service is temporarily unavailable. */
      503: {
        headers: {
          'Paraph-Request-Id': components['headers']['Paraph-Request-Id']
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          RateLimit: components['headers']['RateLimit']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['ApiError'] }
      }
    }
  }
}
