// The home page of the local start and of a trial: "Paraph is running", the sandbox key, the addresses, three steps to try. Pure.
import type { ComponentChildren } from 'preact'
import { firstContractCommand } from './first-contract.js'
import { Frame } from './frame.js'

export interface HomeData {
  styleHref: string
  apiUrl: string
  sandboxKey: string
  /** Where the sandbox key is stored: a file relative to the checkout, or a Secret. */
  sandboxKeyPath: string
  addresses: readonly { name: string; url: string; note: string }[]
  /** The addresses that may sign in to the console. */
  signIn: string
}

export function HomePage(data: HomeData) {
  return (
    <Frame styleHref={data.styleHref} title="Paraph is running">
      <h1>Paraph is running</h1>
      <p class="lead">No email leaves this installation: its mailbox catches all of them.</p>
      <div class="sheet">
        <div class="sheet-part local-key">
          <h2>
            <label for="sandbox-key">Sandbox key</label>
          </h2>
          <p class="small soft">
            Created at the first start and stored in <code class="mono">{data.sandboxKeyPath}</code>. Contracts created
            with it expire after 1 hour and are not binding.
          </p>
          <div class="local-key-line">
            <input class="input mono" id="sandbox-key" readonly value={data.sandboxKey} spellcheck={false} />
            <button class="button button-quiet" type="button" data-copy="sandbox-key" hidden>
              Copy
            </button>
          </div>
        </div>
      </div>
      <section>
        <h2>Addresses</h2>
        <dl class="local-addresses">
          {data.addresses.map(({ name, url, note }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <a class="mono" href={url}>
                  {url}
                </a>
              </dd>
              <dd class="small soft">{note}</dd>
            </div>
          ))}
        </dl>
        <p>{`Sign in to the console as ${data.signIn}. The code arrives in the mailbox.`}</p>
      </section>
      <section>
        <h2>Try it in three steps</h2>
        <ol class="local-steps">
          <li>
            <p>Create a contract with two parties.</p>
            <Sample name="Create a contract">{firstContractCommand(data.apiUrl, data.sandboxKey)}</Sample>
          </li>
          <li>
            <p>
              Open the <a href="/mailbox">mailbox</a>, follow the link in the email to{' '}
              <code class="mono">b@example.com</code>, and sign with the code that arrives next.
            </p>
          </li>
          <li>
            <p>
              Poll for progress. The response says <code class="mono">partially_signed</code> and{' '}
              <code class="mono">50</code> percent. Put the id of your contract in place of{' '}
              <code class="mono">{'{id}'}</code>.
            </p>
            <Sample name="Get the contract">
              {`curl ${data.apiUrl}/contracts/`}
              <span class="local-blank">{'{id}'}</span>
              {` -H 'x-api-key: ${data.sandboxKey}'`}
            </Sample>
          </li>
        </ol>
      </section>
    </Frame>
  )
}

/** A command to copy. Scrolls inside, so it is focusable by the keyboard. */
function Sample({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <pre class="command mono" tabindex={0} role="region" aria-label={name}>
      <code>{children}</code>
    </pre>
  )
}
