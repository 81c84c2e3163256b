// The client address of a request, for pages and the external interface alike. [D9]
import { isIP, isIPv4 } from 'node:net'
import type { Context, Middleware } from 'koa'

/** Puts `clientAddress()` into the state; it is resolved on demand, because most calls never need it. */
export const clientAddress =
  (trustedHops: number): Middleware =>
  (ctx, next) => {
    const { socket, headers } = ctx.req
    ctx.state.clientAddress = () =>
      resolveClientAddress(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''), trustedHops)
    return next()
  }

/** The address that `clientAddress` put into the state. */
export const clientAddressOf = (ctx: Pick<Context, 'state'>): string => ctx.state.clientAddress()

/**
 * The client's address. Pure.
 * @param peer address of the other end of the connection
 * @param forwardedFor the X-Forwarded-For header; each trusted proxy has appended the address that it saw
 * @param trustedHops number of our own proxies in front; with 0 only the connection counts
 */
export function resolveClientAddress(peer = '', forwardedFor = '', trustedHops: number): string {
  const direct = normaliseAddress(peer) ?? '0.0.0.0'
  if (trustedHops === 0 || forwardedFor === '') return direct
  const entries = forwardedFor.split(',')
  // Entries left of those that our own proxies appended are the client's unproven claim.
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
