// The pages of webhooks: the endpoints, one endpoint with its messages, the secret that is shown once, and the questions. [D65]
import type { inferRouterOutputs } from '@trpc/server'
import type { Environment } from '@paraph/protocol/environment'
import type { RpcRouter } from '@paraph/notification/rpc-router'
import { formatInstant } from '@paraph/web/dates'
import { Button, fieldsWith, LinkButton, TextField, type FieldError } from '@paraph/web/fields'
import { Details, Disclosure } from '@paraph/web/sheet'
import { ConsoleFrame } from '../frame/console-frame.js'
import { Code, CopyButton } from '../frame/copyable.js'
import { ButtonForm, ConsoleForm, Question } from '../frame/forms.js'
import { Day, Instant } from '../frame/instant.js'
import { to } from '../frame/links.js'
import { frameMessages } from '../frame/messages.js'
import type { PageProps } from '../frame/page-props.js'
import {
  ActionLinks,
  Back,
  DataTable,
  Empty,
  EnvironmentTabs,
  Notice,
  Paper,
  Section,
  SheetSection,
} from '../frame/parts.js'
import { SmallButton } from '../frame/parts.js'
import { webhookMessages } from './messages.js'

type Outputs = inferRouterOutputs<RpcRouter>['webhooks']
export type ListedEndpoint = Outputs['list'][number]
export type ShownEndpoint = Outputs['read']
type ShownMessage = ShownEndpoint['messages'][number]
export type EndpointKeys = Outputs['create']

/** Endpoints of an account in one environment. Notification counts them. */
export const ENDPOINTS_MAX = 5

interface WebhooksProps {
  page: PageProps
  environment: Environment
  endpoints: readonly ListedEndpoint[]
  timeZone: string
  typed?: string
  errors?: readonly FieldError[]
}

export function WebhooksPage({ page, environment, endpoints, timeZone, typed = '', errors = [] }: WebhooksProps) {
  const { locale } = page
  const text = webhookMessages(locale)
  return (
    <ConsoleFrame page={page} at="webhooks" errors={errors}>
      <div class="head">
        <div>
          <h1>{frameMessages(locale).webhooks}</h1>
          <p class="soft">{text.lead(ENDPOINTS_MAX)}</p>
        </div>
        <EnvironmentTabs {...{ locale, environment, href: to.webhooks }} />
      </div>
      {endpoints.length === 0 ? (
        <Empty text={text.none} />
      ) : (
        <DataTable
          label={frameMessages(locale).webhooks}
          class="linked-rows"
          heads={[text.url, text.state, text.created]}
          rows={endpoints.map((endpoint) => ({
            id: endpoint.id,
            cells: [
              <a class="mono" href={to.webhook(environment, endpoint.id)}>
                {endpoint.url}
              </a>,
              stateOf({ page, timeZone, endpoint }),
              <Day at={new Date(endpoint.createdAt)} {...{ locale, timeZone }} />,
            ],
          }))}
        />
      )}
      {endpoints.length < ENDPOINTS_MAX && (
        <SheetSection title={text.add}>
          <ConsoleForm page={page} action={to.webhooks} hidden={{ environment }}>
            <TextField
              {...fieldsWith({ url: typed }, errors)('url')}
              label={text.url}
              hint={text.urlHint}
              autocomplete="off"
            />
            <div class="actions">
              <Button look="primary">{text.addNow}</Button>
            </div>
          </ConsoleForm>
        </SheetSection>
      )}
    </ConsoleFrame>
  )
}

function stateOf(props: { page: PageProps; timeZone: string; endpoint: ListedEndpoint }): string {
  const { page, timeZone, endpoint } = props
  const text = webhookMessages(page.locale)
  const at = (instant: string) => formatInstant(new Date(instant), page.locale, { timeZone })
  if (endpoint.disabledAt !== null) return text.disabled(at(endpoint.disabledAt))
  return endpoint.failingSince === null ? text.active : text.failing(at(endpoint.failingSince))
}

interface WebhookProps {
  page: PageProps
  environment: Environment
  endpoint: ShownEndpoint
  timeZone: string
}

export function WebhookPage({ page, environment, endpoint, timeZone }: WebhookProps) {
  const { locale } = page
  const text = webhookMessages(locale)
  const own = to.webhook(environment, endpoint.id)
  return (
    <ConsoleFrame page={page} at="webhooks" title={text.title}>
      <div>
        <Back href={`${to.webhooks}?environment=${environment}`}>{frameMessages(locale).webhooks}</Back>
        <h1>{text.title}</h1>
      </div>
      <Notice kind="warning" text={endpoint.disabledAt !== null && text.disabledLead} />
      <Paper>
        <Details
          rows={[
            { label: text.url, value: <span class="mono">{endpoint.url}</span> },
            { label: text.state, value: stateOf({ page, timeZone, endpoint }) },
            { label: text.publicKey, value: <span class="mono">{endpoint.publicKey}</span> },
          ]}
        />
        <div class="actions">
          {endpoint.disabledAt === null ? (
            <ButtonForm page={page} action={`${own}/test`} text={text.test} />
          ) : (
            <ButtonForm page={page} action={`${own}/enable`} text={text.enable} look="primary" />
          )}{' '}
          <LinkButton look="quiet" href={`${own}/rotate`}>
            {text.rotate}
          </LinkButton>{' '}
          <LinkButton look="danger-quiet" href={`${own}/remove`}>
            {text.remove}
          </LinkButton>
        </div>
      </Paper>
      <Section title={text.deliveries}>
        {endpoint.messages.length === 0 ? (
          <Empty text={text.noDeliveries} />
        ) : (
          <DataTable
            label={text.deliveries}
            heads={[text.time, text.event, text.result, text.actions]}
            rows={endpoint.messages.map((message) => ({
              id: message.id,
              cells: [
                <Instant at={new Date(message.createdAt)} {...{ locale, timeZone }} seconds />,
                <>
                  <span class="mono">{message.type}</span>
                  {message.contractId !== null && (
                    <div class="sub">
                      <a href={to.contract(environment, message.contractId)}>{text.seeContract}</a>
                    </div>
                  )}
                </>,
                <Result {...{ page, timeZone, message }} />,
                <ConsoleForm page={page} action={`${own}/again`} hidden={{ message: message.id }}>
                  <SmallButton text={text.again} of={`${message.type} ${message.createdAt}`} />
                </ConsoleForm>,
              ],
            }))}
          />
        )}
      </Section>
    </ConsoleFrame>
  )
}

function Result({ page, timeZone, message }: { page: PageProps; timeZone: string; message: ShownMessage }) {
  const text = webhookMessages(page.locale)
  const { state, attempts, status, failure, answer, dueAt } = message
  const at = (instant: string) => formatInstant(new Date(instant), page.locale, { timeZone, short: true })
  return (
    <>
      {state === 'delivered' && text.delivered(status ?? 200)}
      {state === 'given_up' && text.givenUp(attempts)}
      {state === 'due' && (attempts === 0 || dueAt === null ? text.due : text.dueAgain(attempts, at(dueAt)))}
      {state !== 'delivered' && attempts > 0 && (
        <div class="sub">
          {failure === null || failure === 'status' ? text.statusOf(status ?? 0) : text[`${failure}Failure`]}
        </div>
      )}
      {answer !== null && answer !== '' && (
        <Disclosure summary={text.answer}>
          <Code label={text.answer} text={answer} />
        </Disclosure>
      )}
    </>
  )
}

/** The answer to the POST that made the keys, which no other page shows. */
export function WebhookOncePage(props: { page: PageProps; environment: Environment; keys: EndpointKeys }) {
  const { page, environment, keys } = props
  const { locale } = page
  const text = webhookMessages(locale)
  return (
    <ConsoleFrame page={{ ...page, path: undefined }} title={text.onceTitle} at="webhooks">
      <h1>{text.onceTitle}</h1>
      <p class="soft head-lead">{text.onceLead}</p>
      <Paper>
        <div class="key-field">
          <input
            class="input mono"
            id="secret"
            type="text"
            readOnly
            value={keys.secret}
            aria-label={text.secret}
            autocomplete="off"
            spellcheck={false}
          />
          <CopyButton locale={locale} from="secret" look="primary" />
        </div>
        <Details rows={[{ label: text.publicKey, value: <span class="mono">{keys.publicKey}</span> }]} />
      </Paper>
      <ActionLinks links={[{ href: to.webhook(environment, keys.id), text: text.toEndpoint }]} />
    </ConsoleFrame>
  )
}

/** The question before a change that cannot be undone. */
export function WebhookQuestion(props: Omit<WebhookProps, 'timeZone'> & { act: 'rotate' | 'remove' }) {
  const { page, environment, endpoint, act } = props
  const text = webhookMessages(page.locale)
  const own = to.webhook(environment, endpoint.id)
  const isRemoval = act === 'remove'
  return (
    <Question
      page={page}
      at="webhooks"
      back={{ href: own, text: text.title }}
      title={isRemoval ? text.removeTitle : text.rotateTitle}
      lead={
        <>
          <p class="mono">{endpoint.url}</p>
          <p>{isRemoval ? text.removeLead : text.rotateLead}</p>
        </>
      }
      action={`${own}/${act}`}
      look={isRemoval ? 'danger' : 'primary'}
      button={isRemoval ? text.remove : text.rotate}
      leave={text.keepIt}
    />
  )
}
