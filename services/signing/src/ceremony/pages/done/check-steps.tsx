// The check of the evidence on page 8, step by step: openssl, sha256sum and a shell alone. [ceremony 8, docs/verifying-evidence.md]
import type { Locale } from '@paraph/web/locale'
import { CHECK_COMMANDS } from '@paraph/web/check-commands'
import type { Copies } from '../seal-queue.js'
import { words } from './dictionary.js'
import { CHECK, publicKeyPath } from './links.js'

/** @param props.openings where the party that looks gets its own */
export function CheckSteps({
  contentSha256,
  copies,
  openings,
  locale,
}: {
  contentSha256: string
  copies: Copies
  openings: string
  locale: Locale
}) {
  const say = words(locale)
  const [fingerprint, ...signature] = CHECK_COMMANDS
  return (
    <ol class="check">
      <li>
        <p>{say.checkText(`${contentSha256.slice(0, 8)} … ${contentSha256.slice(-8)}`)}</p>
        <pre class="mono command" tabindex={0}>
          {fingerprint}
        </pre>
        <p class="mono hash">{contentSha256}</p>
      </li>
      {copies.state === 'ready' && (
        <>
          <li>
            <p>
              {say.checkEvidence}{' '}
              <a href={publicKeyPath(copies.keyId)} download="paraph.pem">
                {say.publicKey}
              </a>
            </p>
            <pre class="mono command" tabindex={0}>
              {signature.join('\n')}
            </pre>
          </li>
          <li>
            <p>{say.checkBoth}</p>
            <a class="plain-link" href={CHECK}>
              {say.fullCheck}
            </a>
            <br />
            <a class="plain-link" href={openings} download="openings.txt">
              {say.ownOpenings}
            </a>
          </li>
        </>
      )}
    </ol>
  )
}
