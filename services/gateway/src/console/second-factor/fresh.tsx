// What a page shows in place of the button of a grave act while the person has given no fresh proof, so that nobody fills a form in vain. [D73]
import type { ComponentChildren } from 'preact'
import { LinkButton } from '@paraph/web/fields'
import { to, withNext } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { secondFactorMessages } from './messages.js'

/** The link to the proof. @param props.next the page that it leads back to; by default this one */
export function ProofLink({ page, next = page.path ?? to.home }: { page: PageProps; next?: string }) {
  return (
    <LinkButton look="quiet" href={withNext(to.prove, next)}>
      {secondFactorMessages(page.locale).proveTitle}
    </LinkButton>
  )
}

/** A form of a grave act: its content, or a sentence and the link to the proof. */
export function AfterProof({ page, children }: { page: PageProps; children: ComponentChildren }) {
  if (page.isProven) return <>{children}</>
  return (
    <>
      <p class="soft">{secondFactorMessages(page.locale).proveFirst}</p>
      <div class="actions">
        <ProofLink page={page} />
      </div>
    </>
  )
}
