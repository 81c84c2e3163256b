// The input of the composers: the settings, and the data of a mail from the contract service or the gateway. [D44, D49]
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter } from '@paraph/contract/api/rpc-router'
import type { OwnerCode, OwnerMail } from '@paraph/protocol/owner-mail'

export interface MailSettings {
  /** Right side of the Message-ID. */
  mailDomain: string
  /** The origin of share links, of the help pages and of the console. */
  shareBaseUrl: string
}

export type MailData = NonNullable<inferRouterOutputs<RpcRouter>['mail']['data']>

/** A mail to an owner, stored encrypted in the queue. Its `id` is part of the Message-ID, which is the same on every retry. */
export type OwnerMailData = (OwnerCode & { kind: 'code' }) | OwnerMail
