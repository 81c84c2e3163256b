// How to check the evidence, step by step, on page 8. [ceremony 8, docs/verifying-evidence.md]
import type { Locale } from '@paraph/web/locale'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import type { Copies } from '../../../sealing/queue.js'
import { ceremonyMessages } from '../frame/messages.js'
import { CHECK, publicKeyPath } from '../frame/links.js'

interface CheckStepsProps {
  contentSha256: string
  copies: Copies
  /** The path of the reader's own disclosures. */
  disclosures: string
  locale: Locale
}

export function CheckSteps({ contentSha256, copies, disclosures, locale }: CheckStepsProps) {
  const messages = ceremonyMessages(locale)
  const [fingerprint, ...signature] = CHECK_COMMANDS
  return (
    <ol class="check">
      <li>
        <p>{messages.checkText(`${contentSha256.slice(0, 8)} … ${contentSha256.slice(-8)}`)}</p>
        <pre class="mono command" tabindex={0}>
          {fingerprint}
        </pre>
        <p class="mono hash">{contentSha256}</p>
      </li>
      {copies.state === 'ready' && (
        <>
          <li>
            <p>
              {messages.checkEvidence}{' '}
              <a href={publicKeyPath(copies.keyId)} download="paraph.pem">
                {messages.publicKey}
              </a>
            </p>
            <pre class="mono command" tabindex={0}>
              {signature.join('\n')}
            </pre>
          </li>
          <li>
            <p>{messages.checkBoth}</p>
            <a class="plain-link" href={CHECK}>
              {messages.fullCheck}
            </a>
            <br />
            <a class="plain-link" href={disclosures} download="openings.txt">
              {messages.ownDisclosures}
            </a>
          </li>
        </>
      )}
    </ol>
  )
}
