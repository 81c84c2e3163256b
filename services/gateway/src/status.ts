// What GET /status says. Pure. [Status response, D2]
import type { StatusView } from '@paraph/protocol/account-views'
import { VERSION } from '@paraph/protocol/version'
import type { ApiKey } from './key-store.js'

/** @param isOperational whether the database and every service behind the gateway answer */
export function statusViewOf(key: ApiKey, isOperational: boolean): StatusView {
  return {
    status: isOperational ? 'operational' : 'degraded',
    subscription: { tier: key.tier, status: key.account.subscriptionStatus },
    key: {
      id: key.id,
      name: key.name,
      environment: key.environment,
      scopes: [...key.scopes],
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt?.toISOString() ?? null,
    },
    limits: key.limits,
    version: VERSION,
  }
}
