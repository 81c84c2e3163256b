// The operator's page of an account's brand, beside the account's name: approve, refuse, or show it no longer. [D36, D59]
import type { ComponentChildren } from 'preact'
import { formatInstant } from '@paraph/web/dates'
import { Button, fieldsWith, TextArea, type FieldError } from '@paraph/web/fields'
import type { AccountRow } from '../../accounts/account-store.js'
import type { BrandState, KeptBrand } from '../../brand/brand-store.js'
import { BrandView } from '../brand/brand-view.js'
import { brandMessages } from '../brand/messages.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { ConsoleForm } from '../frame/forms.js'
import { Day } from '../frame/instant.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Back, DataTable, Notice, Section, SheetSection } from '../frame/parts.js'

export interface OperatorBrandProps {
  page: PageProps
  account: AccountRow
  brands: Record<BrandState, KeptBrand | undefined>
  /** The form with errors, and the typed reason. */
  typed?: { decision: string; reason: string }
  errors?: readonly FieldError[]
  /** The brand was decided or changed in the meantime. */
  isDecided?: boolean
}

export function OperatorBrandPage(props: OperatorBrandProps) {
  const { page, account, brands, errors = [], isDecided } = props
  const { locale } = page
  const text = brandMessages(locale)
  const { asked, approved } = brands
  const viewOf = (state: BrandState, brand: KeptBrand) => {
    const logoHref = to.operator.brandLogo(account.id, state, brand.logo)
    return { locale, name: account.name, brand, logoHref }
  }
  return (
    <ConsoleFrame page={page} title={text.title} at="accounts" width="form" errors={errors}>
      <Back href={to.operator.account(account.id)}>
        <bdi>{account.name}</bdi>
      </Back>
      <h1>{text.title}</h1>
      <Notice kind="warning" text={isDecided && text.decidedMeanwhile} />
      {!asked && !approved && <p>{text.none}</p>}
      {asked && (
        <SheetSection title={asked.reason === null ? text.asked : text.refused}>
          <BrandView {...viewOf('asked', asked)} />
          <p class="soft small">{text.askedSince(formatInstant(asked.sentAt, locale))}</p>
          {asked.reason === null ? (
            <Decision {...props} id={asked.id} />
          ) : (
            <p class="written">
              <bdi>{asked.reason}</bdi>
            </p>
          )}
        </SheetSection>
      )}
      {approved && (
        <SheetSection title={text.shown}>
          <BrandView {...viewOf('approved', approved)} />
          <ReasonForm {...props} name="withdrawReason" hint={text.withdrawHint}>
            <Button look="danger-quiet" name="decision" value="withdraw">
              {text.withdraw}
            </Button>
          </ReasonForm>
        </SheetSection>
      )}
    </ConsoleFrame>
  )
}

function Decision(props: OperatorBrandProps & { id: number }) {
  const text = brandMessages(props.page.locale)
  return (
    <>
      <p>{text.decideLead}</p>
      <ReasonForm {...props} name="reason" hint={text.reasonHint} hidden={{ brand: props.id }}>
        <Button look="primary" name="decision" value="approve">
          {text.approve}
        </Button>
        <Button look="danger-quiet" name="decision" value="refuse">
          {text.refuse}
        </Button>
      </ReasonForm>
    </>
  )
}

function ReasonForm(
  props: OperatorBrandProps & {
    name: 'reason' | 'withdrawReason'
    hint: string
    hidden?: Record<string, number>
    children: ComponentChildren
  },
) {
  const { page, account, typed, errors, name, hint, hidden = {}, children } = props
  const field = fieldsWith({ [name]: errors?.some((error) => error.field === name) ? typed?.reason : '' }, errors)
  return (
    <ConsoleForm page={page} action={to.operator.brand(account.id)} hidden={hidden}>
      <TextArea {...field(name)} label={brandMessages(page.locale).reason} hint={hint} rows={2} />
      <div class="actions">{children}</div>
    </ConsoleForm>
  )
}

/** The accounts whose brand waits; nothing without one. */
export function WaitingBrands(props: {
  page: PageProps
  brands: readonly { accountId: string; name: string; sentAt: Date }[]
}) {
  const { page, brands } = props
  const text = brandMessages(page.locale)
  if (brands.length === 0) return null
  return (
    <Section title={text.waiting}>
      <DataTable
        label={text.waiting}
        heads={[text.account, text.sent]}
        rows={brands.map(({ accountId, name, sentAt }) => ({
          id: accountId,
          cells: [
            <a href={to.operator.brand(accountId)}>
              <bdi>{name}</bdi>
            </a>,
            <Day at={sentAt} locale={page.locale} />,
          ],
        }))}
      />
    </Section>
  )
}
