// Runs identity-provider.mjs, and a browser's part of a sign-in there without a browser. For tests of the console's sign-in. [D73]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'

const PROGRAM = fileURLToPath(new URL('identity-provider.mjs', import.meta.url))

/** Claims of a person besides `sub`, which is the login. */
export interface ProviderPerson {
  email?: string
  email_verified?: boolean
  groups?: string[]
}

/** Settings of the gateway for this provider. */
export const settingsFor = (issuer: string) => ({
  OIDC_OWNERS_ISSUER: issuer,
  OIDC_OWNERS_CLIENT_ID: 'paraph-owners',
  OIDC_OWNERS_CLIENT_SECRET: 'secret of owners: +&%',
  OIDC_OPERATORS_ISSUER: issuer,
  OIDC_OPERATORS_CLIENT_ID: 'paraph-operators',
  OIDC_OPERATORS_CLIENT_SECRET: 'secret of operators: +&%',
  OIDC_OPERATORS_GROUP: 'paraph-operators',
})

/** Starts a provider in a process of its own. @param baseUrl of the console, whose redirects it accepts */
export async function startIdentityProvider(baseUrl: string) {
  const child = spawn(process.execPath, [PROGRAM, baseUrl], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stopped = once(child, 'close')
  while (!output.includes('\n'))
    await Promise.race([
      once(child.stdout, 'data'),
      stopped.then(() => {
        throw new Error(`The identity provider stopped: ${errors}`)
      }),
    ])
  const issuer = output.trim()
  const control = async (change: object) => {
    const { body } = await request(`${issuer}/control`, { method: 'POST', body: JSON.stringify(change) })
    return (await body.json()) as { asked: number }
  }
  const people: Record<string, ProviderPerson> = {}
  return {
    issuer,
    /** Adds or changes a person; undefined removes one. */
    async set(login: string, person: ProviderPerson | undefined): Promise<void> {
      if (person) people[login] = person
      else delete people[login]
      await control({ people })
    },
    /** Closes every connection without an answer, until `isAway` is false. */
    setAway: (isAway: boolean) => control({ isAway }),
    /** Everybody who comes has signed in at the provider this long ago; null: when they did. */
    setLogin: (loginSecondsAgo: number | null) => control({ loginSecondsAgo }),
    /** How often a client has asked for tokens. */
    asked: async (): Promise<number> => (await control({})).asked,
    async stop(): Promise<void> {
      child.kill()
      await stopped
    },
  }
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** A browser at a provider, which keeps the provider's cookies. */
export function createProviderVisitor() {
  const jar = new Map<string, string>()

  async function send(url: string, form?: Record<string, string>) {
    const answer = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const { location } = answer.headers
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? new URL(location, url).href : undefined,
      body: await answer.body.text(),
    }
  }

  return {
    send,
    /** Follows `url` at the provider, signs in as `login` if asked. @returns the URL of another site to which the provider redirects */
    async signIn(url: string, login: string): Promise<string> {
      const { origin } = new URL(url)
      let at = url
      for (let step = 0; step < 10; step += 1) {
        const page = await send(at)
        const next = page.location ?? (await send(at, { prompt: 'login', login, password: 'any' })).location
        if (next === undefined) throw new Error(`The provider answered ${page.status} at ${at}: ${page.body}`)
        if (!next.startsWith(origin)) return next
        at = next
      }
      throw new Error('The provider redirects without an end.')
    },
  }
}
