/** An address as a `mailto:` link, for `setNames`. */
export const mailLink = (address: string) => ({ text: address, markup: <a href={`mailto:${address}`}>{address}</a> })
