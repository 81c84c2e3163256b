// Asks each service for its time, and the public address for its certificate. One request each, without a body or a login.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import type { CertificateFacts, Offset, ServiceFacts } from '../facts.js'
import type { Settings } from '../source/installation.js'

const ANSWER_MS = 5_000

interface Answer {
  clock: Offset | undefined
  certificate: { beganAt: Date; endsAt: Date } | undefined
}

/** Nothing about a service whose address is in no settings. */
export async function collectServices(
  known: readonly { service: ServiceName; settings: Settings }[],
): Promise<{ services: ServiceFacts[]; certificates: CertificateFacts[] }> {
  const asked = SERVICES.flatMap((service) => {
    const names = service === 'gateway' ? ['BASE_URL', 'SHARE_BASE_URL'] : [`${service.toUpperCase()}_URL`]
    const url = names.flatMap((name) => known.map(({ settings }) => settings[name])).find((each) => each !== undefined)
    return url === undefined ? [] : [{ service, url }]
  })
  const answers = await Promise.all(asked.map(async ({ service, url }) => ({ service, result: await ask(url) })))
  return {
    services: answers,
    certificates: answers.flatMap(({ result }) =>
      'failure' in result || !result.certificate
        ? []
        : [{ what: 'certificate of the public address', ...result.certificate, isSelfSigned: false, isSeal: false }],
    ),
  }
}

/** @returns the answer, or the code of what prevented it. Never rejects. */
function ask(base: string): Promise<Answer | { failure: string }> {
  return new Promise((resolve) => {
    const sentMs = Date.now()
    const fail = (error: NodeJS.ErrnoException): void => resolve({ failure: error.code ?? 'unknown' })
    try {
      const url = new URL('/livez', base)
      const signal = AbortSignal.timeout(ANSWER_MS)
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const call = send(url, { agent: false, signal }, (response) => {
        const receivedMs = Date.now()
        response.resume()
        const { statusCode = 0, headers } = response
        // A proxy answers for a service that does not.
        if (statusCode >= 502 && statusCode <= 504) return resolve({ failure: `status ${statusCode}` })
        resolve({ clock: offsetOf(headers.date, sentMs, receivedMs), certificate: certificateOf(response.socket) })
      })
      call.on('error', (error) => (signal.aborted ? resolve({ failure: 'timeout' }) : fail(error)))
      call.end()
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  })
}

/** The header Date has whole seconds: the time was up to a second later. */
function offsetOf(date: string | undefined, sentMs: number, receivedMs: number): Offset | undefined {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return undefined
  return { offsetMs: at + 500 - (sentMs + receivedMs) / 2, errorMs: 500 + (receivedMs - sentMs) / 2 }
}

function certificateOf(socket: unknown): Answer['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate()
  return { beganAt: new Date(from), endsAt: new Date(to) }
}
