// API access: made, shown once, rotated, revoked by an owner. Only keys of the account that the session shows are found. [D28, D38]
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { SCOPES } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { faultOfName } from '@paraph/protocol/text-rules'
import type { FieldError } from '@paraph/web/fields'
import { mayCreateKeys } from '../../access.js'
import { ACTIVE_KEYS_MAX } from '../../key-store.js'
import { ownerOf, type Console, type OwnerRequest, type Step } from '../console.js'
import type { PageProps } from '../pages/console-frame.js'
import { OVERLAPS, RevokeKeyPage, RotateKeyPage } from '../pages/key-end-pages.js'
import { KeysPage, type ShownKey } from '../pages/keys-page.js'
import {
  KEY_LIVES,
  KeyAlreadyPage,
  KeyOncePage,
  NewKeyPage,
  type KeyLife,
  type TypedKey,
} from '../pages/new-key-pages.js'
import { keyWords } from '../pages/key-words.js'
import { to } from '../pages/links.js'
import { OutcomePage } from '../pages/sign-in-pages.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const NAME_LENGTH_MAX = 100
const FORM_ID = /^[0-9a-f-]{36}$/
/** Test first. */
const EMPTY: TypedKey = { name: '', environment: 'sandbox', scopes: SCOPES, life: 'never' }

export function createKeySteps({ keys, baseUrl }: Console) {
  const apiUrl = `${baseUrl}/api/external/v2`

  async function listOf({ account, now }: OwnerRequest): Promise<ShownKey[]> {
    const rows = await keys.list(account.row.id)
    return rows
      .map((row) => ({
        ...row,
        isActive: row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now),
      }))
      .toReversed()
  }

  /** The active key that the path names, of this account alone; the same answer for any other. */
  async function keyOf(request: OwnerRequest): Promise<ShownKey | undefined> {
    return (await listOf(request)).find(({ id, isActive }) => id === request.parameters['key'] && isActive)
  }

  const keysPage: Step<OwnerRequest> = async (ctx, request) => {
    const { page, account } = request
    const shown = await listOf(request)
    const used = (environment: string) => shown.filter((key) => key.isActive && key.environment === environment).length
    sendPage(
      ctx,
      200,
      <KeysPage
        {...{ page, apiUrl, keys: shown, accountName: account.row.name, timeZone: account.row.timeZone }}
        used={Math.max(used('production'), used('sandbox'))}
        max={ACTIVE_KEYS_MAX}
        mayCreate={mayCreateKeys(account.access, 'sandbox')}
      />,
    )
  }

  const newKeyPage: Step<OwnerRequest> = async (ctx, request) => {
    if (!mayCreateKeys(request.account.access, 'sandbox')) return seeOther(ctx, to.keys)
    showForm(ctx, request, EMPTY)
  }

  const createKey: Step<OwnerRequest> = async (ctx, request) => {
    const { page, fields, account } = request
    const typed: TypedKey = {
      ...{ name: (fields.get('name') ?? '').trim(), environment: fields.get('environment') ?? '' },
      ...{ scopes: SCOPES.filter((scope) => fields.get(`scopes-${scope}`) === 'yes'), life: fields.get('life') ?? '' },
    }
    const errors = errorsOf(request, typed)
    if (errors.length > 0) return showForm(ctx, request, typed, errors)
    const environment = typed.environment === 'production' ? 'production' : 'sandbox'
    const formId = formIdOf(request)
    try {
      const key = await keys.create(
        {
          ...{ accountId: account.row.id, environment, name: typed.name, formId },
          scopes: SCOPES.filter((scope) => typed.scopes.includes(scope)),
          expiresInDays: KEY_LIVES[typed.life as KeyLife],
        },
        ownerOf(request),
      )
      const made = { apiUrl, keyName: key.name, secret: key.secret }
      sendPage(ctx, 201, <KeyOncePage page={withKeysMore(page, 1)} environment={environment} {...made} />)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.code === 'idempotency_key_reused') return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
      if (error.code !== 'invalid_request') throw error
      showForm(ctx, request, typed, [{ field: 'environment', message: keyWords(page.locale).full }])
    }
  }

  /** A new key in place of an old one is a new key. */
  const mayRotate = ({ account }: OwnerRequest): boolean => mayCreateKeys(account.access, 'sandbox')

  const rotateKeyPage: Step<OwnerRequest> = async (ctx, request) => {
    if (!mayRotate(request)) return seeOther(ctx, to.keys)
    const shown = await keyOf(request)
    if (!shown) return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
    showRotation(ctx, request, shown)
  }

  const rotateKey: Step<OwnerRequest> = async (ctx, request) => {
    const { page, fields } = request
    if (!mayRotate(request)) return seeOther(ctx, to.keys)
    const shown = await keyOf(request)
    if (!shown) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
    const overlap = OVERLAPS.find((days) => days === fields.get('overlap'))
    const say = keyWords(page.locale)
    if (overlap === undefined)
      return showRotation(ctx, request, shown, [{ field: 'overlap', message: say.overlapMissing }])
    const formId = formIdOf(request)
    try {
      const { key, old } = await keys.rotate(
        shown.id,
        { overlapDays: Number(overlap), expiresInDays: undefined, formId },
        ownerOf(request),
      )
      const { environment, name: keyName, secret } = key
      const oldEndsAt = overlap === '0' ? undefined : old.expiresAt
      const made = { environment, apiUrl, keyName, secret, oldEndsAt }
      sendPage(ctx, 201, <KeyOncePage page={withKeysMore(page, oldEndsAt === undefined ? 0 : 1)} {...made} />)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.code === 'idempotency_key_reused') return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
      if (error.code !== 'invalid_request') throw error
      // Revoked or ended while the form was under way: the list says so.
      if (!(await keyOf(request))) return seeOther(ctx, to.keys)
      showRotation(ctx, request, shown, [{ field: 'overlap', message: say.full }])
    }
  }

  const revokeKeyPage: Step<OwnerRequest> = async (ctx, request) => {
    const { page, account } = request
    const shown = await keyOf(request)
    if (!shown) return sendPage(ctx, 404, <OutcomePage page={page} kind="notFound" />)
    sendPage(
      ctx,
      200,
      <RevokeKeyPage {...{ page, shown, timeZone: account.row.timeZone, mayRotate: mayRotate(request) }} />,
    )
  }

  const revokeKey: Step<OwnerRequest> = async (ctx, request) => {
    const shown = await keyOf(request)
    // Revoked by a second click or another owner: it is what was wanted.
    if (shown) await keys.revoke(shown.id, ownerOf(request))
    seeOther(ctx, to.keys)
  }

  function showForm(ctx: Context, request: OwnerRequest, typed: TypedKey, errors: FieldError[] = []): void {
    const { page, account } = request
    const mayUseProduction = mayCreateKeys(account.access, 'production')
    const props = { page, typed, mayUseProduction, errors, formId: randomUUID() }
    sendPage(ctx, errors.length > 0 ? 422 : 200, <NewKeyPage {...props} />)
  }

  function showRotation(ctx: Context, request: OwnerRequest, shown: ShownKey, errors: FieldError[] = []): void {
    const { page, account, now } = request
    const props = { page, shown, now, errors, timeZone: account.row.timeZone, formId: randomUUID() }
    sendPage(ctx, errors.length > 0 ? 422 : 200, <RotateKeyPage {...props} />)
  }

  return { keysPage, newKeyPage, createKey, rotateKeyPage, rotateKey, revokeKeyPage, revokeKey }
}

/** The page was counted before the step made a key. */
const withKeysMore = (page: PageProps, more: number): PageProps => ({
  ...page,
  shell: page.shell && {
    ...page.shell,
    account: page.shell.account && { ...page.shell.account, keys: page.shell.account.keys + more },
  },
})

/** Each form has one, which makes it one key however often it is sent. */
function formIdOf({ fields }: OwnerRequest): string {
  const formId = fields.get('formId') ?? ''
  if (!FORM_ID.test(formId)) throw new DomainError('invalid_request', 'Open the page again and repeat what you did.')
  return formId
}

const isLife = (life: string): life is KeyLife => Object.hasOwn(KEY_LIVES, life)

function errorsOf({ page, account }: OwnerRequest, typed: TypedKey): FieldError[] {
  const say = keyWords(page.locale)
  const errors: FieldError[] = []
  if (typed.name === '') errors.push({ field: 'name', message: say.nameMissing })
  else if (faultOfName(typed.name, NAME_LENGTH_MAX)) errors.push({ field: 'name', message: say.nameWrong })
  if (typed.environment !== 'sandbox' && typed.environment !== 'production')
    errors.push({ field: 'environment', message: say.environmentMissing })
  else if (!mayCreateKeys(account.access, typed.environment))
    errors.push({ field: 'environment', message: say.noProduction })
  if (!isLife(typed.life)) errors.push({ field: 'life', message: say.lifeMissing })
  if (typed.scopes.length === 0) errors.push({ field: 'scopes', message: say.scopesMissing })
  return errors
}
