// The owner's page of the account's brand: what is shown, what waits, and the form. Status 200, or 422 with errors. [D59]
import { formatInstant } from '@paraph/web/dates'
import { Button, fieldsWith, FileField, TextField, TickBox, type FieldError } from '@paraph/web/fields'
import type { AccountRow } from '../../accounts/account-store.js'
import type { BrandState, KeptBrand } from '../../brand/brand-store.js'
import { ConsoleFrame } from '../frame/console-frame.js'
import { ButtonForm, ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import type { PageProps } from '../frame/page-props.js'
import { Back, SheetSection } from '../frame/parts.js'
import { accountMessages } from '../people/messages.js'
import { AfterProof } from '../second-factor/fresh.js'
import { BrandView } from './brand-view.js'
import { brandMessages } from './messages.js'

export interface BrandPageProps {
  page: PageProps
  account: AccountRow
  brands: Record<BrandState, KeptBrand | undefined>
  /** The typed colour, shown again with errors. */
  typed?: string
  errors?: readonly FieldError[]
}

export function BrandPage(props: BrandPageProps) {
  const { page, account, brands, errors = [] } = props
  const text = brandMessages(page.locale)
  const { asked, approved } = brands
  return (
    <ConsoleFrame page={page} title={text.title} at="account" width="form" errors={errors}>
      <Back href={to.account}>{accountMessages(page.locale).title}</Back>
      <h1>{text.title}</h1>
      <p class="soft">{text.lead}</p>
      {approved && (
        <SheetSection title={text.shown}>
          <BrandView {...viewOf(props, 'approved', approved)} />
        </SheetSection>
      )}
      {asked && (
        <SheetSection title={asked.reason === null ? text.asked : text.refused}>
          <BrandView {...viewOf(props, 'asked', asked)} />
          <Standing {...props} asked={asked} />
        </SheetSection>
      )}
      {account.approvedAt === null ? <p>{text.notYet}</p> : <BrandForm {...props} />}
      {page.isProven && (asked ?? approved) && <ButtonForm page={page} action={to.removeBrand} text={text.remove} />}
    </ConsoleFrame>
  )
}

const viewOf = ({ page: { locale }, account: { name } }: BrandPageProps, state: BrandState, brand: KeptBrand) => ({
  locale,
  name,
  brand,
  logoHref: to.brandLogo(state, brand.logo),
})

function Standing({ page: { locale }, account: { timeZone }, asked }: BrandPageProps & { asked: KeptBrand }) {
  const text = brandMessages(locale)
  if (asked.reason === null) return <p>{text.askedSince(formatInstant(asked.sentAt, locale, { timeZone }))}</p>
  return (
    <>
      <p>{text.refusedFor}</p>
      <p class="written">
        <bdi>{asked.reason}</bdi>
      </p>
    </>
  )
}

function BrandForm({ page, brands: { asked, approved }, typed, errors }: BrandPageProps) {
  const text = brandMessages(page.locale)
  const present = asked ?? approved
  const field = fieldsWith({ accent: typed ?? present?.accent ?? '', logo: undefined }, errors)
  const hasLogo = present?.logo != null
  return (
    <SheetSection title={text.change}>
      <AfterProof page={page}>
        <ConsoleForm page={page} action={to.brand} hasFile>
          <TextField {...field('accent')} label={text.accent} hint={text.accentHint} autocomplete="off" />
          <FileField
            {...field('logo')}
            label={text.logo}
            hint={hasLogo ? text.logoKept : text.logoHint}
            accept="image/png,image/jpeg"
          />
          {hasLogo && <TickBox name="noLogo" label={text.noLogo} />}
          <Button look="primary">{text.send}</Button>
        </ConsoleForm>
      </AfterProof>
    </SheetSection>
  )
}
