// The addresses of an installation with this mailbox: for tools, and as a list for people. Pure.

/** Every address, by its name in `stack.json`. @param baseUrl public URL of the gateway */
export const addressesOf = (baseUrl: string, mailboxUrl: string) => ({
  apiUrl: `${baseUrl}/api/external/v2`,
  shareUrl: baseUrl,
  consoleUrl: `${baseUrl}/console`,
  docsUrl: `${baseUrl}/docs`,
  mailboxUrl,
})

/** The addresses that a person opens, each with a short description. The first is the API. */
export function describeAddresses({ apiUrl, docsUrl, consoleUrl, mailboxUrl }: ReturnType<typeof addressesOf>) {
  return [
    { name: 'API', url: apiUrl, note: 'Base address of all calls' },
    { name: 'Docs', url: docsUrl, note: 'Every field, with samples' },
    { name: 'Console', url: consoleUrl, note: 'API keys, usage and contracts' },
    { name: 'Mailbox', url: `${mailboxUrl}/mailbox`, note: 'Every email and every sign-in code' },
  ]
}
