// Handlers of API access: an owner creates, rotates and revokes keys. The handlers find only keys of the session's account. [D28, D38]
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { SCOPES } from '@paraph/protocol/scope'
import { DomainError } from '@paraph/protocol/errors'
import { nameError } from '@paraph/protocol/text-rules'
import type { FieldError } from '@paraph/web/fields'
import { mayCreateKeys } from '../../accounts/access.js'
import { ACTIVE_KEYS_MAX, type CreatedKey } from '../../keys/key-store.js'
import { isActive, isRefused, ownerOf, PageNotFound, type Handler, type OwnerRequest } from '../console-context.js'
import { OVERLAPS, RevokeKeyPage, RotateKeyPage, KeysPage, type ShownKey } from '../keys/keys-page.js'
import { KEY_LIVES, KeyAlreadyPage, KeyOncePage, NewKeyPage } from '../keys/new-key-pages.js'
import type { KeyLife, TypedKey } from '../keys/new-key-pages.js'
import { keyMessages } from '../keys/messages.js'
import { to } from '../frame/links.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const NAME_LENGTH_MAX = 100
const FORM_ID = /^[0-9a-f-]{36}$/
/** The form's defaults: a sandbox key comes first. */
const EMPTY: TypedKey = { name: '', environment: 'sandbox', scopes: SCOPES, life: 'never' }

const apiUrlOf = ({ deps }: OwnerRequest): string => `${deps.baseUrl}/api/external/v2`

async function listOf({ deps, account, now }: OwnerRequest): Promise<ShownKey[]> {
  const rows = await deps.keys.list(account.row.id)
  return rows.map((row) => ({ ...row, isActive: isActive(row, now) })).toReversed()
}

/** The active key of the account that the path names. */
const keyOf = async (request: OwnerRequest): Promise<ShownKey | undefined> =>
  (await listOf(request)).find((key) => key.id === request.parameters['key'] && key.isActive)

type HandleKey = (ctx: Context, request: OwnerRequest, shown: ShownKey) => Promise<void>

/** Calls `handle` with the key that the path names. Ended keys and keys of other accounts have no page. */
const withKey =
  (handle: HandleKey): Handler<OwnerRequest> =>
  async (ctx, request) => {
    const shown = await keyOf(request)
    if (!shown) throw new PageNotFound()
    return handle(ctx, request, shown)
  }

export const keysPage: Handler<OwnerRequest> = async (ctx, request) => {
  const { page, account } = request
  const shown = { page, keys: await listOf(request), max: ACTIVE_KEYS_MAX, mayCreate: mayCreate(request) }
  sendPage(ctx, 200, <KeysPage {...shown} timeZone={account.row.timeZone} apiUrl={apiUrlOf(request)} />)
}

/** Creating and rotating keys needs the same permission: a rotation creates a key. */
const mayCreate = ({ account }: OwnerRequest): boolean => mayCreateKeys(account.access, 'sandbox')

/** Of the form for a new key. [D73] */
export const isForProduction = ({ fields }: OwnerRequest): boolean => fields.get('environment') === 'production'

/** Of the key that the path names. */
export const isOfProduction = async (request: OwnerRequest): Promise<boolean> =>
  (await keyOf(request))?.environment === 'production'

export const newKeyPage: Handler<OwnerRequest> = async (ctx, request) => {
  if (!mayCreate(request)) return seeOther(ctx, to.keys)
  showForm(ctx, request, EMPTY)
}

export const createKey: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, fields, account } = request
  const typed: TypedKey = {
    name: (fields.get('name') ?? '').trim(),
    environment: fields.get('environment') ?? '',
    scopes: SCOPES.filter((scope) => fields.get(`scopes-${scope}`) === 'yes'),
    life: fields.get('life') ?? '',
  }
  const errors = errorsOf(request, typed)
  if (errors.length > 0) return showForm(ctx, request, typed, errors)
  const wanted = {
    accountId: account.row.id,
    environment: typed.environment === 'production' ? ('production' as const) : ('sandbox' as const),
    name: typed.name,
    formId: formIdOf(request),
    scopes: SCOPES.filter((scope) => typed.scopes.includes(scope)),
    expiresInDays: KEY_LIVES[typed.life as KeyLife],
  }
  const key = await orRefusal(deps.keys.create(wanted, ownerOf(request)))
  if (key === 'repeated') return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
  if (key === 'refused')
    return showForm(ctx, request, typed, [{ field: 'environment', message: keyMessages(page.locale).full }])
  showOnce(ctx, request, key, 1)
}

/** As `withKey`, for an account that may rotate keys. */
const withRotatableKey = (handle: HandleKey): Handler<OwnerRequest> => {
  const handler = withKey(handle)
  return async (ctx, request) => (mayCreate(request) ? handler(ctx, request) : seeOther(ctx, to.keys))
}

export const rotateKeyPage = withRotatableKey(async (ctx, request, shown) => showRotation(ctx, request, shown))

export const rotateKey = withRotatableKey(async (ctx, request, shown) => {
  const { deps, page, fields } = request
  const overlap = OVERLAPS.find((days) => days === fields.get('overlap'))
  const text = keyMessages(page.locale)
  if (overlap === undefined)
    return showRotation(ctx, request, shown, [{ field: 'overlap', message: text.overlapMissing }])
  const options = { overlapDays: Number(overlap), expiresInDays: undefined, formId: formIdOf(request) }
  const rotated = await orRefusal(deps.keys.rotate(shown.id, options, ownerOf(request)))
  if (rotated === 'repeated') return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
  if (rotated === 'refused') {
    // If the key was revoked or expired since the form was rendered, the list shows that.
    if (!(await keyOf(request))) return seeOther(ctx, to.keys)
    return showRotation(ctx, request, shown, [{ field: 'overlap', message: text.full }])
  }
  if (overlap === '0') return showOnce(ctx, request, rotated.key, 0)
  showOnce(ctx, request, rotated.key, 1, rotated.old.expiresAt)
})

export const revokeKeyPage = withKey(async (ctx, request, shown) => {
  const props = { page: request.page, shown, timeZone: request.account.row.timeZone, mayRotate: mayCreate(request) }
  sendPage(ctx, 200, <RevokeKeyPage {...props} />)
})

export const revokeKey: Handler<OwnerRequest> = async (ctx, request) => {
  const shown = await keyOf(request)
  // Without an active key there is nothing to do: a second click or another owner has revoked it.
  if (shown) await request.deps.keys.revoke(shown.id, ownerOf(request))
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

/** @param moreKeys corrects the key count of the page, whose props are older than the new key */
function showOnce(ctx: Context, request: OwnerRequest, key: CreatedKey, moreKeys: 0 | 1, oldEndsAt?: Date): void {
  const { environment, name: keyName, secret } = key
  const { shell } = request.page
  const account = shell?.account && { ...shell.account, keys: shell.account.keys + moreKeys }
  const page = { ...request.page, shell: shell && { ...shell, account } }
  const props = { page, environment, keyName, secret, apiUrl: apiUrlOf(request), oldEndsAt }
  sendPage(ctx, 201, <KeyOncePage {...props} />)
}

/** The result of a command; `repeated` if the form was sent before, `refused` if the state of the keys does not allow the command. */
const orRefusal = <Result,>(command: Promise<Result>): Promise<Result | 'repeated' | 'refused'> =>
  command.catch((error: unknown) => {
    if (isRefused(error)) return 'refused'
    if (error instanceof DomainError && error.code === 'idempotency_key_reused') return 'repeated'
    throw error
  })

/** The id of the form, with which a form that is sent twice creates only one key. */
function formIdOf({ fields }: OwnerRequest): string {
  const formId = fields.get('formId') ?? ''
  if (!FORM_ID.test(formId)) throw new DomainError('invalid_request', 'Open the page again and repeat what you did.')
  return formId
}

const isLife = (life: string): life is KeyLife => Object.hasOwn(KEY_LIVES, life)

function errorsOf({ page, account }: OwnerRequest, typed: TypedKey): FieldError[] {
  const text = keyMessages(page.locale)
  const errors: FieldError[] = []
  if (typed.name === '') errors.push({ field: 'name', message: text.nameMissing })
  else if (nameError(typed.name, NAME_LENGTH_MAX)) errors.push({ field: 'name', message: text.nameWrong })
  if (typed.environment !== 'sandbox' && typed.environment !== 'production')
    errors.push({ field: 'environment', message: text.environmentMissing })
  else if (!mayCreateKeys(account.access, typed.environment))
    errors.push({ field: 'environment', message: text.noProduction })
  if (!isLife(typed.life)) errors.push({ field: 'life', message: text.lifeMissing })
  if (typed.scopes.length === 0) errors.push({ field: 'scopes', message: text.scopesMissing })
  return errors
}
