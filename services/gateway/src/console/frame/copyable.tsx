// Values that a button copies, by the script copy.js.
import type { Locale } from '@paraph/web/locale'
import { frameMessages } from './messages.js'

/**
 * The button that copies the element with the id `from`. It stays hidden without the script.
 * @param of names the copied value, for screen readers, on a page with several such buttons
 */
export function CopyButton(props: { locale: Locale; from: string; of?: string; look?: 'primary' | 'quiet' }) {
  const { locale, from, of, look = 'quiet' } = props
  const text = frameMessages(locale)
  const size = look === 'quiet' ? ' button-small' : ''
  return (
    <button
      class={`button button-${look}${size}`}
      type="button"
      aria-live="polite"
      data-copy={from}
      data-copied={text.copied}
      hidden
    >
      {text.copy}
      {of !== undefined && <span class="unseen"> {of}</span>}
    </button>
  )
}

/** A value for machines, with a button that copies it. @param href makes the value a link */
export function Copyable(props: { locale: Locale; id: string; of: string; value: string; href?: string }) {
  const { locale, id, of, value, href } = props
  return (
    <span class="copyable">
      {href === undefined ? (
        <span class="mono" id={id}>
          {value}
        </span>
      ) : (
        <a class="mono" id={id} href={href}>
          {value}
        </a>
      )}{' '}
      <CopyButton {...{ locale, of }} from={id} />
    </span>
  )
}

/** Preformatted text, in a region that also scrolls by keyboard. @param copy adds a button that copies it */
export function Code({ label, text, copy }: { label: string; text: string; copy?: { locale: Locale; id: string } }) {
  return (
    <>
      <pre class="code" tabindex={0} role="region" aria-label={label}>
        <code id={copy?.id}>{text}</code>
      </pre>
      {copy && <CopyButton locale={copy.locale} from={copy.id} of={label} />}
    </>
  )
}
