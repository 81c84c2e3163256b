// STRIPE_PRICES: which price of Stripe buys which tier. Pure.

/** Price id → tier. */
export type Prices = ReadonlyMap<string, string>

const PAIR = /^(price_[A-Za-z0-9]{1,100})=([a-z][a-z0-9_-]{0,39})$/

/** Reads `price_1Ab=startup,price_2Cd=growth`. Several prices may buy one tier; Checkout offers the first. @throws Error */
export function parsePrices(text: string): Prices {
  const pairs = text.split(',').map((pair) => PAIR.exec(pair.trim()))
  const prices = new Map(pairs.flatMap((pair) => (pair ? [[pair[1]!, pair[2]!]] : [])))
  if (prices.size < pairs.length)
    throw new Error('must be prices with their tiers, each price once: price_1Ab=startup,price_2Cd=growth')
  return prices
}
