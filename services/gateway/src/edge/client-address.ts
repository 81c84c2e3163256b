// The client address of a request, for pages and the external interface alike. [D9]
import { isIP, isIPv4 } from 'node:net'
import type { Context, Middleware } from 'koa'

/** Adds the function `clientAddress()` to the state. A function, because most calls never need the address. */
export const clientAddress =
  (trustedHops: number): Middleware =>
  (ctx, next) => {
    const { socket, headers } = ctx.req
    ctx.state.clientAddress = () =>
      resolveClientAddress(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''), trustedHops)
    return next()
  }

/** Resolves the address by the function that `clientAddress` added to the state. */
export const clientAddressOf = (ctx: Pick<Context, 'state'>): string => ctx.state.clientAddress()

/**
 * The client's address. Pure.
 * @param peer address of the other end of the connection
 * @param forwardedFor the X-Forwarded-For header; each trusted proxy has appended the address that it saw
 * @param trustedHops number of our own proxies in front; with 0 the client is `peer`
 */
export function resolveClientAddress(peer = '', forwardedFor = '', trustedHops: number): string {
  const direct = normaliseAddress(peer) ?? '0.0.0.0'
  if (trustedHops === 0 || forwardedFor === '') return direct
  const entries = forwardedFor.split(',')
  // The client can forge all entries to the left of those that our own proxies appended.
  const entry = entries[Math.max(0, entries.length - trustedHops)] ?? ''
  return normaliseAddress(entry.trim()) ?? direct
}

/** The address without brackets, port, zone and the IPv4-in-IPv6 form; undefined if the text is no address. */
function normaliseAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(.+)$/.exec(address)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? undefined : address
}
