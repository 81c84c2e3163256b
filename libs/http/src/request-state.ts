// What our middleware adds to every request: the type of Koa's `ctx.state`, for all routers.
import type {} from 'koa'

declare module 'koa' {
  interface DefaultState {
    /** Set by `renderErrors`. */
    requestId: string
    /** The client's address, resolved on demand. Set by the gateway's `clientAddress`, and only there. */
    clientAddress: () => string
  }
}
