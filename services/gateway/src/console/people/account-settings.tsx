// The sections of the account page for its settings and for the mails about contracts. [D34, D57, D58, D70]
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { Button, fieldsWith, Select, TextField } from '@paraph/web/fields'
import { isolateNames } from '@paraph/web/names-in-words'
import { ConsoleForm } from '../frame/forms.js'
import { to } from '../frame/links.js'
import { SheetSection } from '../frame/parts.js'
import { MAIL_CHOICES, ON_DECLINE, REMINDERS, type AccountPageProps, type MailChoice } from './account-form.js'
import { accountMessages } from './messages.js'
import { zonesWith } from './time-zones.js'

export function Settings({ page, account, errors, typed = {} }: AccountPageProps) {
  const text = accountMessages(page.locale)
  const { senderName, language: written, timeZone } = account
  const onDecline = account.cancelsOnDecline ? 'cancel' : 'keep'
  const reminders = account.remindsParties ? 'remind' : 'remindNobody'
  const set = { senderName: senderName ?? account.name, language: written, timeZone, reminders, onDecline }
  const field = fieldsWith({ ...set, ...typed }, errors)
  const language = { en: text.english, fr: text.french, 'en+fr': text.both }
  return (
    <SheetSection title={text.settings}>
      <p>{isolateNames(account.approvedAt === null ? text.appliedName : text.approvedName, account.name)}</p>
      <ConsoleForm page={page} action={to.settings}>
        <TextField
          {...field('senderName')}
          label={text.senderName}
          hint={text.senderNameHint}
          autocomplete="organization"
        />
        <Select
          {...field('language')}
          label={text.language}
          hint={text.languageHint}
          choices={MAIL_LANGUAGES.map((value) => ({ value, label: language[value] }))}
        />
        <Select {...field('timeZone')} label={text.timeZone} hint={text.timeZoneHint} choices={zonesWith(timeZone)} />
        <Select
          {...field('reminders')}
          label={text.reminders}
          hint={text.fromNowOn}
          choices={REMINDERS.map((value) => ({ value, label: text[value] }))}
        />
        <Select
          {...field('onDecline')}
          label={text.onDecline}
          hint={text.fromNowOn}
          choices={ON_DECLINE.map((value) => ({ value, label: text[value] }))}
        />
        <Button look="primary">{text.save}</Button>
      </ConsoleForm>
    </SheetSection>
  )
}

/** What owners hear of their contracts. */
export function ContractMails({ page, account, errors, typed = {} }: AccountPageProps) {
  const text = accountMessages(page.locale)
  const set: Record<MailChoice, string> = {
    mailsRefused: account.mailsRefused ? 'now' : 'off',
    mailsDeclined: account.mailsDeclined ? 'now' : 'off',
    mailsCompleted: account.mailsCompleted,
    mailsExpired: account.mailsExpired ? 'daily' : 'off',
  }
  const field = fieldsWith({ ...set, ...typed }, errors)
  return (
    <SheetSection title={text.mails}>
      <p>{text.mailsLead}</p>
      <ConsoleForm page={page} action={to.contractMails}>
        {(Object.keys(MAIL_CHOICES) as MailChoice[]).map((name) => (
          <Select
            key={name}
            {...field(name)}
            label={text[name]}
            choices={MAIL_CHOICES[name].map((value) => ({ value, label: text[value] }))}
          />
        ))}
        <Button look="primary">{text.save}</Button>
      </ConsoleForm>
    </SheetSection>
  )
}
