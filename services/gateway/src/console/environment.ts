// The environment that a page of the console shows: the one that the address names, else the one that has contracts.
import type { Context } from 'koa'
import type { Environment } from '@paraph/protocol/environment'
import { PageNotFound, type ConsoleRequest } from './console-context.js'
import type { ContractCounts } from './frame/page-props.js'

/** The names of environments in an address: ours, and those of keys and of the command line. */
const NAMES: ReadonlyMap<unknown, Environment> = new Map([
  ['production', 'production'],
  ['live', 'production'],
  ['sandbox', 'sandbox'],
  ['test', 'sandbox'],
])

/** @param name from the address @param contracts undefined while the contract service does not respond */
export function environmentOf(name: unknown, contracts: ContractCounts | undefined): Environment {
  const named = NAMES.get(name)
  if (named) return named
  // An owner who has only tried the sandbox would otherwise see an empty page.
  return contracts?.production.count === 0 && contracts.sandbox.count > 0 ? 'sandbox' : 'production'
}

/** The environment of a page whose address may name one. @throws PageNotFound for an unknown name */
export function shownEnvironment(ctx: Context, { page }: ConsoleRequest): Environment {
  const { environment: name } = ctx.query
  if (name !== undefined && !NAMES.has(name)) throw new PageNotFound()
  return page.shell?.account?.environment ?? 'production'
}
