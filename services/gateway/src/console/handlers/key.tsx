// Handlers of API access: an owner creates, rotates and revokes keys. They find keys of the session's account only. [D28, D38]
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { SCOPES } from '@paraph/protocol/scope'
import { DomainError } from '@paraph/protocol/errors'
import { nameError } from '@paraph/protocol/text-rules'
import type { FieldError } from '@paraph/web/fields'
import { mayCreateKeys } from '../../accounts/access.js'
import { ACTIVE_KEYS_MAX } from '../../keys/key-store.js'
import { ownerOf, type Console, type OwnerRequest, type Handler } from '../console-context.js'
import type { PageProps } from '../frame/console-frame.js'
import { OVERLAPS, RevokeKeyPage, RotateKeyPage } from '../keys/key-end-pages.js'
import { KeysPage, type ShownKey } from '../keys/keys-page.js'
import {
  KEY_LIVES,
  KeyAlreadyPage,
  KeyOncePage,
  NewKeyPage,
  type KeyLife,
  type TypedKey,
} from '../keys/new-key-pages.js'
import { keyMessages } from '../keys/messages.js'
import { to } from '../frame/links.js'
import { OutcomePage } from '../people/sign-in-pages.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const NAME_LENGTH_MAX = 100
const FORM_ID = /^[0-9a-f-]{36}$/
/** The form's defaults: a sandbox key comes first. */
const EMPTY: TypedKey = { name: '', environment: 'sandbox', scopes: SCOPES, life: 'never' }

export function createKeyHandlers({ keys, baseUrl }: Console) {
  const apiUrl = `${baseUrl}/api/external/v2`

  async function listOf({ account, now }: OwnerRequest): Promise<ShownKey[]> {
    const rows = await keys.list(account.row.id)
    return rows
      .map((row) => ({ ...row, isActive: row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now) }))
      .toReversed()
  }

  /** The active key of the account that the path names. */
  async function keyOf(request: OwnerRequest): Promise<ShownKey | undefined> {
    return (await listOf(request)).find(({ id, isActive }) => id === request.parameters['key'] && isActive)
  }

  /** Calls `handle` with the key that the path names. The 404 page is the same for ended and for foreign keys. */
  const withKey =
    (handle: (ctx: Context, request: OwnerRequest, shown: ShownKey) => Promise<void>): Handler<OwnerRequest> =>
    async (ctx, request) => {
      const shown = await keyOf(request)
      if (!shown) return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
      return handle(ctx, request, shown)
    }

  const keysPage: Handler<OwnerRequest> = async (ctx, request) => {
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

  const newKeyPage: Handler<OwnerRequest> = async (ctx, request) => {
    if (!mayCreateKeys(request.account.access, 'sandbox')) return seeOther(ctx, to.keys)
    showForm(ctx, request, EMPTY)
  }

  const createKey: Handler<OwnerRequest> = async (ctx, request) => {
    const { page, fields, account } = request
    const typed: TypedKey = {
      name: (fields.get('name') ?? '').trim(),
      environment: fields.get('environment') ?? '',
      scopes: SCOPES.filter((scope) => fields.get(`scopes-${scope}`) === 'yes'),
      life: fields.get('life') ?? '',
    }
    const errors = errorsOf(request, typed)
    if (errors.length > 0) return showForm(ctx, request, typed, errors)
    const environment = typed.environment === 'production' ? 'production' : 'sandbox'
    const formId = formIdOf(request)
    try {
      const key = await keys.create(
        {
          accountId: account.row.id,
          environment,
          name: typed.name,
          formId,
          scopes: SCOPES.filter((scope) => typed.scopes.includes(scope)),
          expiresInDays: KEY_LIVES[typed.life as KeyLife],
        },
        ownerOf(request),
      )
      const created = { apiUrl, keyName: key.name, secret: key.secret }
      sendPage(ctx, 201, <KeyOncePage page={withMoreKeys(page, 1)} environment={environment} {...created} />)
    } catch (error) {
      if (isRepeated(error)) return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
      if (!isRefused(error)) throw error
      showForm(ctx, request, typed, [{ field: 'environment', message: keyMessages(page.locale).full }])
    }
  }

  /** A rotation creates a key, so it needs the same permission. */
  const mayRotate = ({ account }: OwnerRequest): boolean => mayCreateKeys(account.access, 'sandbox')

  /** As `withKey`, for an account that may rotate keys. */
  const withRotatableKey = (handle: Parameters<typeof withKey>[0]): Handler<OwnerRequest> => {
    const handler = withKey(handle)
    return async (ctx, request) => (mayRotate(request) ? handler(ctx, request) : seeOther(ctx, to.keys))
  }

  const rotateKeyPage = withRotatableKey(async (ctx, request, shown) => showRotation(ctx, request, shown))

  const rotateKey = withRotatableKey(async (ctx, request, shown) => {
    const { page, fields } = request
    const overlap = OVERLAPS.find((days) => days === fields.get('overlap'))
    const text = keyMessages(page.locale)
    if (overlap === undefined)
      return showRotation(ctx, request, shown, [{ field: 'overlap', message: text.overlapMissing }])
    const formId = formIdOf(request)
    try {
      const { key, old } = await keys.rotate(
        shown.id,
        { overlapDays: Number(overlap), expiresInDays: undefined, formId },
        ownerOf(request),
      )
      const { environment, name: keyName, secret } = key
      const oldEndsAt = overlap === '0' ? undefined : old.expiresAt
      const created = { environment, apiUrl, keyName, secret, oldEndsAt }
      sendPage(ctx, 201, <KeyOncePage page={withMoreKeys(page, oldEndsAt === undefined ? 0 : 1)} {...created} />)
    } catch (error) {
      if (isRepeated(error)) return sendPage(ctx, 409, <KeyAlreadyPage page={page} />)
      if (!isRefused(error)) throw error
      // The key was revoked or expired since the form was rendered: the list shows that.
      if (!(await keyOf(request))) return seeOther(ctx, to.keys)
      showRotation(ctx, request, shown, [{ field: 'overlap', message: text.full }])
    }
  })

  const revokeKeyPage = withKey(async (ctx, request, shown) => {
    const { page, account } = request
    sendPage(
      ctx,
      200,
      <RevokeKeyPage {...{ page, shown, timeZone: account.row.timeZone, mayRotate: mayRotate(request) }} />,
    )
  })

  const revokeKey: Handler<OwnerRequest> = async (ctx, request) => {
    const shown = await keyOf(request)
    // A second click or another owner revoked it already: that is the wanted state.
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

/** Corrects the key count of a page whose props are older than the new key. */
const withMoreKeys = (page: PageProps, more: number): PageProps => ({
  ...page,
  shell: page.shell && {
    ...page.shell,
    account: page.shell.account && { ...page.shell.account, keys: page.shell.account.keys + more },
  },
})

/** The id of the form: sent twice, it creates one key. */
function formIdOf({ fields }: OwnerRequest): string {
  const formId = fields.get('formId') ?? ''
  if (!FORM_ID.test(formId)) throw new DomainError('invalid_request', 'Open the page again and repeat what you did.')
  return formId
}

/** The form was sent before. */
const isRepeated = (error: unknown): boolean => error instanceof DomainError && error.code === 'idempotency_key_reused'

const isRefused = (error: unknown): boolean => error instanceof DomainError && error.code === 'invalid_request'

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
