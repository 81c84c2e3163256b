// The home page of the local start: "Paraph is running", the sandbox key, the addresses, three steps to try. Pure.
import type { ComponentChildren } from 'preact'
import { Frame } from './frame.js'

export interface HomeData {
  styleHref: string
  apiUrl: string
  sandboxKey: string
  /** Path of the file with the sandbox key, relative to the checkout. */
  sandboxKeyPath: string
  addresses: readonly { name: string; url: string; note: string }[]
}

export function HomePage(data: HomeData) {
  const key = `x-api-key: $(cat ${data.sandboxKeyPath})`
  return (
    <Frame styleHref={data.styleHref} title="Paraph is running">
      <h1>Paraph is running</h1>
      <p class="lead">Everything below lives on this computer. No mail leaves it.</p>
      <div class="sheet">
        <div class="sheet-part local-key">
          <h2>
            <label for="sandbox-key">Sandbox key</label>
          </h2>
          <p class="small soft">
            Made for you at first start, and kept in <code class="mono">{data.sandboxKeyPath}</code>. Contracts made
            with it end after 1 hour and bind nobody.
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
      </section>
      <section>
        <h2>Try it in three steps</h2>
        <ol class="local-steps">
          <li>
            <p>Create a contract with two parties.</p>
            <Sample name="Create a contract">
              {`curl ${data.apiUrl}/contracts \\
  -H "${key}" -H "Content-Type: application/json" \\
  -d '{"contractType":"nda",
       "parties":[{"role":"Discloser","legalName":"Nordic Foods Ltd.","email":"a@example.com"},
                  {"role":"Recipient","legalName":"Jane Roe","email":"b@example.com"}],
       "content":"NON-DISCLOSURE AGREEMENT\\n\\n1. PURPOSE\\n\\nThe parties keep secrets secret."}'`}
            </Sample>
          </li>
          <li>
            <p>
              Open the <a href="/mailbox">mailbox</a>, follow the share link in the e-mail to{' '}
              <code class="mono">b@example.com</code>, and sign with the one-time code that arrives next.
            </p>
          </li>
          <li>
            <p>
              Ask how far it is. It says <code class="mono">partially_signed</code> and <code class="mono">50</code>.
            </p>
            <Sample name="Ask for the contract">
              {`curl ${data.apiUrl}/contracts/`}
              <span class="local-blank">{'{id}'}</span>
              {` -H "${key}"`}
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
