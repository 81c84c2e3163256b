// The input of the composers: the settings, and the data of a mail from the contract service or the gateway. [D44, D49]
import type { inferRouterOutputs } from '@trpc/server'
import type { RpcRouter } from '@paraph/contract/api/rpc-router'
import type { Brand } from '@paraph/protocol/brand'
import type { OwnerCode, OwnerMail } from '@paraph/protocol/owner-mail'

export interface MailSettings {
  /** Right side of the Message-ID. */
  mailDomain: string
  /** The origin of share links, of the help pages and of the console. */
  shareBaseUrl: string
  /** The name in the foot of a mail with a brand. */
  footName: string
}

/** What the mails about a contract show of the approved brand of its account. [D59] */
export interface Look extends Brand, Pick<MailSettings, 'shareBaseUrl' | 'footName'> {
  accountName: string
}

/** The data of the contract service, which knows no brands. */
export type ContractData = NonNullable<inferRouterOutputs<RpcRouter>['mail']['data']>

export type MailData = ContractData & { look?: Look | undefined }

/** A mail to an owner, stored encrypted in the queue. Its `id` is part of the Message-ID, which is the same on every retry. */
export type OwnerMailData = (OwnerCode & { kind: 'code' }) | OwnerMail
