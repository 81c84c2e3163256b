// Generated from docs/openapi.json by openapi-typescript; `npm run update -- openapi` writes it anew.
export interface paths {
  '/contracts': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    get?: never
    put?: never
    /**
     * Create a multi-party contract
     * @description Stores the contract and sends a signing e-mail to every party. With an `Idempotency-Key` it is safe to repeat. Scope: `contracts:write`. Quota weight: 1.
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
     * Contract details and signing progress
     * @description Poll it until `status` is final. Send the `ETag` of the last answer as `If-None-Match` and get 304 while nothing has changed; add `Prefer: wait=30` and the answer waits for a change. Scope: `contracts:read`. Quota weight: 1.
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
     * Quota and usage of the current billing period
     * @description Counts calls of the account in the environment of the key, this one included. Over the quota, `overageCalls` grows and `remaining` stays 0. Scope: `contracts:read`. Quota weight: 0.
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
     * Health check, and what the key may do
     * @description Use it to confirm that a key is valid. It answers for suspended accounts too. No scope is needed. Quota weight: 0.
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
     * @description The body of every answer that is not 2xx or 304. Decide by `code`, or by the status if you do not know it.
     * @example {
     *       "error": "Version 1 of this interface was removed. Use /api/external/v2.",
     *       "code": "version_removed",
     *       "requestId": "5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11"
     *     }
     */
    Error: {
      /** @description A sentence for a person: what happened and what to do. It may be reworded; decide by `code`. */
      error: string
      /**
       * @description What happened, for a program.
       * @enum {string}
       */
      code:
        | 'invalid_request'
        | 'invalid_key'
        | 'missing_scope'
        | 'account_suspended'
        | 'subscription_inactive'
        | 'not_found'
        | 'version_removed'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'idempotency_in_progress'
        | 'body_too_large'
        | 'unsupported_media_type'
        | 'idempotency_key_reused'
        | 'rate_limited'
        | 'quota_exceeded'
        | 'headers_too_large'
        | 'internal_error'
        | 'unavailable'
      /** @description Names this request in the logs of the operator. */
      requestId: string
      /** @description With `invalid_request`: each broken rule. */
      issues?: {
        /** @description Where: `parties[1].email`, or the name of a header; empty for the body as a whole. */
        path: string
        /** @description What to do. */
        message: string
      }[]
    }
    /** @description One who is to sign. */
    PartyInput: {
      /** @description The party's role in free text, such as buyer or discloser. 1 to 100 characters, none of them invisible, without :// and www.; stored trimmed. */
      role: string
      /** @description Full legal name. 1 to 200 characters, none of them invisible, without :// and www.; stored trimmed. */
      legalName: string
      /**
       * Format: idn-email
       * @description The signing link is sent here. One plain address: up to 64 ASCII characters without quotes before the @, a domain with a dot after it (its letters may be of any script). Kept as sent, compared without regard to case.
       * @example legal@nordicfoods.example
       */
      email: string
    }
    /** @description A contract as it was made. */
    CreatedContract: {
      /**
       * @description Identifier of the contract, as POST /contracts gave it.
       * @example contract-1795183380000-k3v9x2m1q
       */
      id: string
      /**
       * @description Number for people; holds the UTC date of creation.
       * @example EXT-20261120-7KQ4MXTA
       */
      contractNumber: string
      /**
       * @description The secret in the share link. Whoever has it can open the link: keep it out of logs.
       * @example vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq
       */
      shareToken: string
      /**
       * Format: uri
       * @description Where the parties read and sign; the same link for all. The e-mails hold it too.
       */
      shareUrl: string
      /**
       * @description `pending_signature`: nobody has signed. `partially_signed`: some have. `signed`, `expired`, `cancelled` are final: stop polling.
       * @example pending_signature
       * @enum {string}
       */
      status: 'pending_signature' | 'partially_signed' | 'signed' | 'expired' | 'cancelled'
      /**
       * @description As sent.
       * @example nda
       * @enum {string}
       */
      contractType:
        | 'nda'
        | 'business'
        | 'employment'
        | 'service'
        | 'custom'
        | 'sales-agreement'
        | 'consignment-agreement'
        | 'revenue-share'
      /** @description In the order sent. */
      parties: components['schemas']['Party'][]
      signingProgress: components['schemas']['SigningProgress']
      /**
       * Format: date-time
       * @description When it was made. ISO 8601, UTC, milliseconds.
       * @example 2026-11-20T14:03:00.000Z
       */
      createdAt: string
      /**
       * Format: date-time
       * @description 14 days after createdAt; 1 hour in the sandbox. From then on nothing can be signed.
       * @example 2026-11-20T14:03:00.000Z
       */
      expiresAt: string
    }
    /** @description One who is to sign. */
    Party: {
      /** @description Role of the party, trimmed. */
      role: string
      /** @description Full legal name, trimmed. */
      legalName: string
      /** @description E-mail address as sent. */
      email: string
    }
    /** @description How far the signing is. */
    SigningProgress: {
      /** @description Parties that have signed. */
      signed: number
      /** @description Number of parties. */
      total: number
      /** @description total minus signed. */
      pending: number
      /** @description Share of parties signed, rounded to two decimals. */
      percentage: number
    }
    /** @description A contract as it stands. */
    Contract: {
      /**
       * @description Identifier of the contract, as POST /contracts gave it.
       * @example contract-1795183380000-k3v9x2m1q
       */
      id: string
      /**
       * @description `pending_signature`: nobody has signed. `partially_signed`: some have. `signed`, `expired`, `cancelled` are final: stop polling.
       * @example pending_signature
       * @enum {string}
       */
      status: 'pending_signature' | 'partially_signed' | 'signed' | 'expired' | 'cancelled'
      /** @description In the order sent. */
      parties: components['schemas']['PartyWithState'][]
      signingProgress: components['schemas']['SigningProgress']
      /** @description One for each party that has signed, oldest first. */
      signatures: components['schemas']['Signature'][]
      /**
       * @description Number for people; holds the UTC date of creation.
       * @example EXT-20261120-7KQ4MXTA
       */
      contractNumber: string
      /**
       * @description As sent.
       * @example nda
       * @enum {string}
       */
      contractType:
        | 'nda'
        | 'business'
        | 'employment'
        | 'service'
        | 'custom'
        | 'sales-agreement'
        | 'consignment-agreement'
        | 'revenue-share'
      /** @description Display name in the e-mails. */
      senderName: string
      /** @description As sent; empty when none was. */
      metadata: { [key: string]: string }
      /**
       * Format: date-time
       * @description When it was made. ISO 8601, UTC, milliseconds.
       * @example 2026-11-20T14:03:00.000Z
       */
      createdAt: string
      /**
       * Format: date-time
       * @description From then on nothing can be signed.
       * @example 2026-11-20T14:03:00.000Z
       */
      expiresAt: string
      /** @description When the last party signed; null until then. */
      completedAt: string | null
    }
    /** @description One who is to sign or has signed. */
    PartyWithState: {
      /** @description Role of the party, trimmed. */
      role: string
      /** @description Full legal name, trimmed. */
      legalName: string
      /** @description E-mail address as sent. */
      email: string
      /** @description Whether this party has signed. */
      hasSigned: boolean
    }
    /** @description A signature that was made. */
    Signature: {
      /** @description E-mail address of the party. */
      signerEmail: string
      /** @description Legal name of the party. */
      signerName: string
      /** @description Role of the party. */
      signerRole: string
      /**
       * Format: date-time
       * @description When the party signed. ISO 8601, UTC, milliseconds.
       * @example 2026-11-20T14:03:00.000Z
       */
      signedAt: string
    }
    /** @description A contract to be signed. Unknown fields are ignored; those of version 1 (recipientEmail, recipientName, businessName, autoSign) are refused. */
    CreateContract: {
      /** @description Who signs, 2 to 50. One person may sign in two roles, but the same role, name and address twice is refused. */
      parties: components['schemas']['PartyInput'][]
      /**
       * @description What kind of contract it is.
       * @example nda
       * @enum {string}
       */
      contractType:
        | 'nda'
        | 'business'
        | 'employment'
        | 'service'
        | 'custom'
        | 'sales-agreement'
        | 'consignment-agreement'
        | 'revenue-share'
      /**
       * @description The whole contract as plain text, at most 51,200 bytes of UTF-8. Numbered or upper-case headings and blank lines are kept as formatting.
       * @example NON-DISCLOSURE AGREEMENT
       *
       *     1. PURPOSE
       *
       *     The parties keep secrets secret.
       */
      content: string
      /** @description Display name in the e-mails, 1 to 100 characters. Holds no @, no web address and not our name, and does not end in "via". Left out: the name of the account. */
      senderName?: string
      /**
       * @description String pairs for your own tracking: at most 50, keys of 1 to 40 and values of up to 500 characters. GET gives them back.
       * @example {
       *       "orderId": "10442"
       *     }
       */
      metadata?: { [key: string]: string }
    }
    /** @description What the account used in the environment of the key. */
    Usage: {
      /**
       * @description The billing period: a calendar month, in UTC.
       * @example 2026-11
       */
      period: string
      /**
       * Format: int64
       * @description Every call that passed key and window and was answered, whatever the answer. This one is counted.
       */
      totalCalls: number
      /**
       * Format: int64
       * @description The sum of the weights of the calls answered 2xx or 304; refusals and replays cost nothing.
       */
      billableCalls: number
      /**
       * Format: int64
       * @description Monthly quota of the tier.
       */
      quotaLimit: number
      /**
       * Format: int64
       * @description quotaLimit minus billableCalls, at least 0.
       */
      remaining: number
      /**
       * Format: int64
       * @description billableCalls minus quotaLimit, at least 0.
       */
      overageCalls: number
      /**
       * @description totalCalls by endpoint; its values add up to totalCalls. An endpoint never called is left out.
       * @example {
       *       "POST /contracts": 12,
       *       "GET /contracts/:id": 88
       *     }
       */
      endpointBreakdown: { [key: string]: number }
      /**
       * Format: date-time
       * @description First instant of the period.
       * @example 2026-11-20T14:03:00.000Z
       */
      periodStart: string
      /**
       * Format: date-time
       * @description Last millisecond of the period.
       * @example 2026-11-20T14:03:00.000Z
       */
      periodEnd: string
    }
    /** @description Health, and what the key may do. */
    Status: {
      /**
       * @description `degraded` while a service behind the gateway is not ready; still 200.
       * @enum {string}
       */
      status: 'operational' | 'degraded'
      /** @description What the account has. */
      subscription: {
        /**
         * @description Name of the tier in lower case.
         * @example startup
         */
        tier: string
        /**
         * @description `trial`: sandbox keys only. `ended`: every call but this one is refused.
         * @enum {string}
         */
        status: 'active' | 'trial' | 'past_due' | 'ended'
      }
      /** @description The key that was sent. */
      key: {
        /** @description Names the key to the operator; not secret. */
        id: string
        /** @description The name that it was given. */
        name: string
        /**
         * @description Whether its contracts bind.
         * @enum {string}
         */
        environment: 'production' | 'sandbox'
        /** @description What it may do. */
        scopes: ('contracts:read' | 'contracts:write')[]
        /**
         * Format: date-time
         * @description When it was made.
         * @example 2026-11-20T14:03:00.000Z
         */
        createdAt: string
        /** @description When it stops being valid; null: never. */
        expiresAt: string | null
      }
      /** @description What the tier allows. */
      limits: {
        /**
         * Format: int64
         * @description Window of the account in this environment, in requests per minute.
         */
        requestsPerMinute: number
        /**
         * Format: int64
         * @description Quota of the account in this environment, in calls per calendar month.
         */
        monthlyQuota: number
      }
      /**
       * @description Release of the interface.
       * @example 2.0.0
       */
      version: string
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: {
    /**
     * @description Requests that the window of one minute takes.
     * @example 60
     */
    'RateLimit-Limit': number
    /**
     * @description Requests left in the window, after this one.
     * @example 59
     */
    'RateLimit-Remaining': number
    /**
     * @description Seconds until the window resets: until its oldest request leaves it.
     * @example 60
     */
    'RateLimit-Reset': number
    /**
     * @description Seconds to wait before trying again.
     * @example 12
     */
    'Retry-After': number
    /**
     * @description The methods that the path takes.
     * @example GET
     */
    Allow: string
    /**
     * @description Calls of quota that this call costs when it is billed; 0 for a replay.
     * @example 1
     */
    'Paraph-Quota-Weight': number
    /**
     * @description Whether this call was billed: answered 2xx or 304, and no replay.
     * @example true
     */
    'Paraph-Quota-Billable': 'true' | 'false'
    /**
     * @description Calls of quota that this call costs when it is billed; 0 for a replay. Left out of what was refused before it was counted.
     * @example 1
     */
    'Paraph-Quota-Weight-If-Counted': number
    /**
     * @description Here always false. Left out of what was refused before it was counted.
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
        /** @description 1 to 255 printable ASCII characters without a comma, such as a UUID. Within 24 hours the same key with the same body, byte for byte, gives the same contract and makes no second one. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: { content: { 'application/json': components['schemas']['CreateContract'] } }
    responses: {
      /** @description The contract was made; every party will get an e-mail. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Path of the new contract.
           * @example /api/external/v2/contracts/contract-1795183380000-k3v9x2m1q
           */
          Location: string
          /**
           * @description On the answer to a repeated request; such a call is not billed.
           * @example true
           */
          'Idempotency-Replayed'?: 'true'
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description On every 2xx answer about contracts and usage.
             * @constant
             */
            success: true
            contract: components['schemas']['CreatedContract']
          }
        }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_request'
          }
        }
      }
      /** @description `invalid_key`: no key, two keys, or one that is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_key'
          }
        }
      }
      /**
       * @description `missing_scope`: the key lacks the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: there is no paid subscription.
       */
      403: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'missing_scope' | 'account_suspended' | 'subscription_inactive'
          }
        }
      }
      /** @description `method_not_allowed`: another method on this path. */
      405: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'method_not_allowed'
          }
        }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'request_timeout'
          }
        }
      }
      /** @description `idempotency_in_progress`: a request with this Idempotency-Key is still running. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'idempotency_in_progress'
          }
        }
      }
      /** @description `body_too_large`: the body has more than 512 KiB. */
      413: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'body_too_large'
          }
        }
      }
      /** @description `unsupported_media_type`: the body is not announced as plain JSON in UTF-8. */
      415: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'unsupported_media_type'
          }
        }
      }
      /** @description `idempotency_key_reused`: this Idempotency-Key was used with another body within 24 hours. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'idempotency_key_reused'
          }
        }
      }
      /**
       * @description `rate_limited`: the window of the last minute is full.
       *
       *     `quota_exceeded`: the monthly quota is used up, in the sandbox or where the account stops at it.
       */
      429: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'rate_limited' | 'quota_exceeded'
          }
        }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'headers_too_large'
          }
        }
      }
      /** @description `internal_error`: a fault on our side. */
      500: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'internal_error'
          }
        }
      }
      /** @description `unavailable`: a part of the service is away for a moment. */
      503: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'unavailable'
          }
        }
      }
    }
  }
  getContract: {
    parameters: {
      query?: never
      header?: {
        /** @description The `ETag` of an earlier answer, or several: 304 while it is still the right one. */
        'If-None-Match'?: string
        /** @description `wait=N` with `If-None-Match` (RFC 7240): hold the answer until the contract changes, N seconds at most; more than 30 counts as 30. What is no such preference is ignored. */
        Prefer?: string
      }
      path: {
        /** @description Identifier of the contract, as POST /contracts gave it. */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The contract as it stands. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Changes whenever the body does, expiry included.
           * @example "vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEo"
           */
          ETag: string
          /**
           * @description When the contract last changed.
           * @example Fri, 20 Nov 2026 15:20:11 GMT
           */
          'Last-Modified': string
          /**
           * @description Keep it, but ask each time.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache'
          /**
           * @description The wait was honoured, and for how long at most. Without it the answer came at once: wait a moment before the next.
           * @example wait=30
           */
          'Preference-Applied'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description On every 2xx answer about contracts and usage.
             * @constant
             */
            success: true
            contract: components['schemas']['Contract']
          }
        }
      }
      /** @description Nothing has changed since the answer with this `ETag`. No body; billed like a 200. */
      304: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          /**
           * @description Changes whenever the body does, expiry included.
           * @example "vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEo"
           */
          ETag: string
          /**
           * @description When the contract last changed.
           * @example Fri, 20 Nov 2026 15:20:11 GMT
           */
          'Last-Modified': string
          /**
           * @description Keep it, but ask each time.
           * @example private, no-cache
           */
          'Cache-Control': 'private, no-cache'
          /**
           * @description The wait was honoured, and for how long at most. Without it the answer came at once: wait a moment before the next.
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
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_request'
          }
        }
      }
      /** @description `invalid_key`: no key, two keys, or one that is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_key'
          }
        }
      }
      /**
       * @description `missing_scope`: the key lacks the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: there is no paid subscription.
       */
      403: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'missing_scope' | 'account_suspended' | 'subscription_inactive'
          }
        }
      }
      /** @description `not_found`: no such contract for this account and environment, or no such path. */
      404: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'not_found'
          }
        }
      }
      /** @description `method_not_allowed`: another method on this path. */
      405: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'method_not_allowed'
          }
        }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'request_timeout'
          }
        }
      }
      /**
       * @description `rate_limited`: the window of the last minute is full.
       *
       *     `quota_exceeded`: the monthly quota is used up, in the sandbox or where the account stops at it.
       */
      429: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'rate_limited' | 'quota_exceeded'
          }
        }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'headers_too_large'
          }
        }
      }
      /** @description `internal_error`: a fault on our side. */
      500: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'internal_error'
          }
        }
      }
      /** @description `unavailable`: a part of the service is away for a moment. */
      503: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          'Paraph-Quota-Weight': components['headers']['Paraph-Quota-Weight-If-Counted']
          'Paraph-Quota-Billable': components['headers']['Paraph-Quota-Billable-If-Counted']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'unavailable'
          }
        }
      }
    }
  }
  getUsage: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: {
      /** @description Usage so far. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description On every 2xx answer about contracts and usage.
             * @constant
             */
            success: true
            usage: components['schemas']['Usage']
          }
        }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_request'
          }
        }
      }
      /** @description `invalid_key`: no key, two keys, or one that is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_key'
          }
        }
      }
      /**
       * @description `missing_scope`: the key lacks the scope.
       *
       *     `account_suspended`: the operator suspended the account.
       *
       *     `subscription_inactive`: there is no paid subscription.
       */
      403: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'missing_scope' | 'account_suspended' | 'subscription_inactive'
          }
        }
      }
      /** @description `method_not_allowed`: another method on this path. */
      405: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'method_not_allowed'
          }
        }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'request_timeout'
          }
        }
      }
      /** @description `rate_limited`: the window of the last minute is full. */
      429: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'rate_limited'
          }
        }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'headers_too_large'
          }
        }
      }
      /** @description `internal_error`: a fault on our side. */
      500: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'internal_error'
          }
        }
      }
      /** @description `unavailable`: a part of the service is away for a moment. */
      503: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'unavailable'
          }
        }
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
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: { 'application/json': components['schemas']['Status'] }
      }
      /** @description `invalid_request`: the request breaks a rule; `issues` names each field. */
      400: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_request'
          }
        }
      }
      /** @description `invalid_key`: no key, two keys, or one that is malformed, unknown, revoked or expired. */
      401: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'invalid_key'
          }
        }
      }
      /** @description `method_not_allowed`: another method on this path. */
      405: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          Allow: components['headers']['Allow']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'method_not_allowed'
          }
        }
      }
      /** @description `request_timeout`: the request did not arrive in time. */
      408: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'request_timeout'
          }
        }
      }
      /** @description `rate_limited`: the window of the last minute is full. */
      429: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'rate_limited'
          }
        }
      }
      /** @description `headers_too_large`: the headers have more than 16 KiB. */
      431: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'headers_too_large'
          }
        }
      }
      /** @description `internal_error`: a fault on our side. */
      500: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'internal_error'
          }
        }
      }
      /** @description `unavailable`: a part of the service is away for a moment. */
      503: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimit-Limit']
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining']
          'RateLimit-Reset': components['headers']['RateLimit-Reset']
          'Retry-After': components['headers']['Retry-After']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error'] & {
            /** @enum {string} */
            code?: 'unavailable'
          }
        }
      }
    }
  }
}
