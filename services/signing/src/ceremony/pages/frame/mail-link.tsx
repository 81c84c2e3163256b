/** The operator's address within a sentence, as a link that writes to it. */
export const mailLink = (address: string) => ({ text: address, markup: <a href={`mailto:${address}`}>{address}</a> })
