// The cause and the remedy of every error code. docs/reference/errors.md has the same English; a test compares the two. [Errors]
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import { ERROR_CODES } from '../openapi/error-catalogue.js'

const causes = createDictionary<Record<ErrorCode, Translated>>({
  invalid_request: {
    en: 'A field or header breaks a rule, or the body is not JSON.',
    fr: 'Un champ ou un en-tête enfreint une règle, ou le corps n’est pas du JSON.',
  },
  invalid_key: {
    en: 'No key, two keys, or one that is malformed, unknown, revoked or expired: one answer for all.',
    fr: 'Aucune clé, deux clés, ou une clé mal formée, inconnue, révoquée ou expirée\u00A0: une seule réponse pour tous ces cas.',
  },
  missing_scope: {
    en: 'The key lacks the scope of this endpoint.',
    fr: 'La clé n’a pas la portée de ce point d’accès.',
  },
  account_suspended: {
    en: 'The operator suspended the account. `GET /status` still answers.',
    fr: 'L’exploitant a suspendu le compte. `GET /status` répond encore.',
  },
  subscription_inactive: {
    en: 'The subscription has ended, or it is a trial and the key is for production.',
    fr: 'L’abonnement a pris fin, ou c’est un essai et la clé est une clé de production.',
  },
  not_found: {
    en: 'No such contract for your account in this environment, or no such path.',
    fr: 'Votre compte n’a pas ce contrat dans cet environnement, ou ce chemin n’existe pas.',
  },
  version_removed: { en: 'Anything under `/api/external/v1`.', fr: 'Tout ce qui est sous `/api/external/v1`.' },
  method_not_allowed: {
    en: 'The path has no such method; `Allow` says which it has.',
    fr: 'Le chemin n’a pas cette méthode; `Allow` dit lesquelles il a.',
  },
  request_timeout: {
    en: 'The body took more than 20 seconds to arrive, or the headers more than 60.',
    fr: 'Le corps a mis plus de 20\u00A0secondes à arriver, ou les en-têtes plus de 60.',
  },
  idempotency_in_progress: {
    en: 'A request with this Idempotency-Key is still running.',
    fr: 'Une requête avec cet Idempotency-Key est encore en cours.',
  },
  body_too_large: { en: 'The body has more than 524,288 bytes.', fr: 'Le corps a plus de 524\u00A0288 octets.' },
  unsupported_media_type: {
    en: 'The body is not announced as `application/json`, is in another charset, or is compressed.',
    fr: 'Le corps n’est pas annoncé comme `application/json`, est dans un autre jeu de caractères, ou est comprimé.',
  },
  idempotency_key_reused: {
    en: 'This Idempotency-Key made a contract from another body within 24 hours.',
    fr: 'Cet Idempotency-Key a créé un contrat à partir d’un autre corps dans les 24\u00A0heures.',
  },
  rate_limited: { en: 'The window of the last minute is full.', fr: 'La fenêtre de la dernière minute est pleine.' },
  quota_exceeded: {
    en: "The month's quota is used up, and the account stops there. The sandbox always does.",
    fr: 'Le quota du mois est épuisé, et le compte s’y arrête. Le bac à sable le fait toujours.',
  },
  headers_too_large: { en: 'The headers have more than 16 KiB.', fr: 'Les en-têtes ont plus de 16\u00A0Kio.' },
  internal_error: { en: 'A fault on our side.', fr: 'Une faute de notre côté.' },
  unavailable: {
    en: 'A part of the service is away for a moment.',
    fr: 'Une partie du service est absente pour un moment.',
  },
})

const remedies = createDictionary<Record<ErrorCode, Translated>>({
  invalid_request: {
    en: 'Correct what `issues` names. The same request fails again.',
    fr: 'Corrigez ce que nomme `issues`. La même requête échouera de nouveau.',
  },
  invalid_key: {
    en: 'Check the header `x-api-key`. Do not retry.',
    fr: 'Vérifiez l’en-tête `x-api-key`. Ne réessayez pas.',
  },
  missing_scope: { en: 'Use a key that has it.', fr: 'Employez une clé qui l’a.' },
  account_suspended: { en: 'Write to the operator.', fr: 'Écrivez à l’exploitant.' },
  subscription_inactive: {
    en: 'Renew it, or use a sandbox key.',
    fr: 'Renouvelez-le, ou employez une clé du bac à sable.',
  },
  not_found: {
    en: 'Check the id, the path and whether the key is live or test.',
    fr: 'Vérifiez l’identifiant, le chemin et si la clé est de production ou d’essai.',
  },
  version_removed: { en: 'Use `/api/external/v2`.', fr: 'Employez `/api/external/v2`.' },
  method_not_allowed: { en: 'Use one of those.', fr: 'Employez l’une d’elles.' },
  request_timeout: {
    en: 'Send it again; a POST with its Idempotency-Key.',
    fr: 'Renvoyez-la; un POST, avec son Idempotency-Key.',
  },
  idempotency_in_progress: {
    en: 'Wait for `Retry-After`, then send the same again.',
    fr: 'Attendez le temps de `Retry-After`, puis renvoyez la même.',
  },
  body_too_large: {
    en: 'Send a smaller one. `content` may have 51,200 bytes.',
    fr: 'Envoyez-en un plus petit. `content` peut avoir 51\u00A0200 octets.',
  },
  unsupported_media_type: { en: 'Send plain JSON in UTF-8.', fr: 'Envoyez du JSON tel quel, en UTF-8.' },
  idempotency_key_reused: {
    en: 'Use a new key for a new contract. Repeat a request byte for byte.',
    fr: 'Prenez une nouvelle clé pour un nouveau contrat. Répétez une requête octet pour octet.',
  },
  rate_limited: {
    en: 'Wait for `Retry-After`; back off if it happens again.',
    fr: 'Attendez le temps de `Retry-After`; espacez davantage si cela se répète.',
  },
  quota_exceeded: {
    en: 'Wait for the next month (`Retry-After` says how long), or ask for a larger tier.',
    fr: 'Attendez le mois suivant (`Retry-After` dit combien de temps), ou demandez un palier plus grand.',
  },
  headers_too_large: { en: 'Send fewer or shorter ones.', fr: 'Envoyez-en moins, ou de plus courts.' },
  internal_error: {
    en: 'Try again; if it stays so, tell the operator the `requestId`.',
    fr: 'Réessayez; si cela dure, donnez le `requestId` à l’exploitant.',
  },
  unavailable: {
    en: 'Wait for `Retry-After`, then back off. A POST with an Idempotency-Key is safe.',
    fr: 'Attendez le temps de `Retry-After`, puis espacez. Un POST avec un Idempotency-Key est sans danger.',
  },
})

/** The table rows of `codes`, in the order of `ERROR_STATUS`. */
export const errorRows = (codes: readonly ErrorCode[], locale: Locale) =>
  ERROR_CODES.filter((code) => codes.includes(code)).map((code) => ({
    code,
    status: ERROR_STATUS[code],
    when: causes(locale)[code],
    todo: remedies(locale)[code],
  }))
