// The type of the RPC client of the notification service.
import type { TRPCClient } from '@trpc/client'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'

export type NotificationClient = TRPCClient<NotificationRouter>
