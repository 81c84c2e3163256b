// The cause and the remedy of every error code. docs/reference/errors.md has the same English; a test compares the two. [Errors]
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import { createDictionary, type Translated } from '@paraph/web/dictionary'
import type { Locale } from '@paraph/web/locale'
import { ERROR_CODES } from '../openapi/error-catalogue.js'

const causes = createDictionary<Record<ErrorCode, Translated>>({
  invalid_request: {
    en: 'A field or a header breaks a rule, or the body is not JSON.',
    fr: 'Un champ ou un en-tête enfreint une règle, ou le corps n’est pas du JSON.',
  },
  invalid_key: {
    en: 'There is no key or more than one, or the key is malformed, unknown, revoked or expired. The response does not say which.',
    fr: 'Il n’y a pas de clé ou plus d’une, ou la clé est mal formée, inconnue, révoquée ou expirée. La réponse ne dit pas pourquoi.',
  },
  missing_scope: {
    en: 'The key does not have the scope of this endpoint.',
    fr: 'La clé n’a pas la portée de ce point d’accès.',
  },
  account_suspended: {
    en: 'The operator suspended the account. `GET /status` still works.',
    fr: 'L’exploitant a suspendu le compte. `GET /status` fonctionne encore.',
  },
  subscription_inactive: {
    en: 'The subscription has ended, or it is a trial and the key is a production key.',
    fr: 'L’abonnement a pris fin, ou c’est un essai et la clé est une clé de production.',
  },
  not_found: {
    en: 'Your account has no such contract in this environment, or there is no such path.',
    fr: 'Votre compte n’a pas ce contrat dans cet environnement, ou ce chemin n’existe pas.',
  },
  version_removed: { en: 'The path is under `/api/external/v1`.', fr: 'Le chemin est sous `/api/external/v1`.' },
  method_not_allowed: {
    en: 'The path does not support this method. `Allow` lists those that it supports.',
    fr: 'Le chemin n’accepte pas cette méthode. `Allow` liste celles qu’il accepte.',
  },
  request_timeout: {
    en: 'The body took more than 20 seconds to arrive, or the headers more than 60.',
    fr: 'Le corps a mis plus de 20\u00A0secondes à arriver, ou les en-têtes plus de 60.',
  },
  idempotency_in_progress: {
    en: 'A request with this `Idempotency-Key` is still running.',
    fr: 'Une requête avec cet `Idempotency-Key` est encore en cours.',
  },
  body_too_large: { en: 'The body has more than 524,288 bytes.', fr: 'Le corps a plus de 524\u00A0288 octets.' },
  unsupported_media_type: {
    en: 'The body is not declared as `application/json`, is not in UTF-8, or is compressed.',
    fr: 'Le corps n’est pas déclaré comme `application/json`, n’est pas en UTF-8, ou est compressé.',
  },
  idempotency_key_reused: {
    en: 'This `Idempotency-Key` created a contract from another body within 30 days.',
    fr: 'Cet `Idempotency-Key` a créé un contrat à partir d’un autre corps dans les 30\u00A0jours.',
  },
  rate_limited: {
    en: 'The account has reached its limit of requests per minute.',
    fr: 'Le compte a atteint sa limite de requêtes par minute.',
  },
  quota_exceeded: {
    en: 'The quota of the month is used up. The sandbox always stops there, production only if the account chose it.',
    fr: 'Le quota du mois est épuisé. Le bac à sable s’y arrête toujours, la production seulement si le compte l’a choisi.',
  },
  headers_too_large: { en: 'The headers have more than 16 KiB.', fr: 'Les en-têtes ont plus de 16\u00A0Kio.' },
  internal_error: { en: 'An error on our side.', fr: 'Une erreur de notre côté.' },
  unavailable: {
    en: 'A part of the service is temporarily unavailable.',
    fr: 'Une partie du service est temporairement indisponible.',
  },
})

const remedies = createDictionary<Record<ErrorCode, Translated>>({
  invalid_request: {
    en: 'Correct what `issues` lists. The same request fails again.',
    fr: 'Corrigez ce que liste `issues`. La même requête échouera de nouveau.',
  },
  invalid_key: {
    en: 'Check the header `x-api-key`. Do not retry.',
    fr: 'Vérifiez l’en-tête `x-api-key`. Ne réessayez pas.',
  },
  missing_scope: { en: 'Use a key that has the scope.', fr: 'Utilisez une clé qui a la portée.' },
  account_suspended: { en: 'Write to the operator.', fr: 'Écrivez à l’exploitant.' },
  subscription_inactive: {
    en: 'Renew the subscription, or use a sandbox key.',
    fr: 'Renouvelez l’abonnement ou utilisez une clé du bac à sable.',
  },
  not_found: {
    en: 'Check the id, the path and the environment of the key.',
    fr: 'Vérifiez l’identifiant, le chemin et l’environnement de la clé.',
  },
  version_removed: { en: 'Use `/api/external/v2`.', fr: 'Utilisez `/api/external/v2`.' },
  method_not_allowed: { en: 'Use one of the methods in `Allow`.', fr: 'Utilisez une des méthodes de `Allow`.' },
  request_timeout: {
    en: 'Send the request again. For a POST, use the same `Idempotency-Key`.',
    fr: 'Renvoyez la requête. Pour un POST, gardez le même `Idempotency-Key`.',
  },
  idempotency_in_progress: {
    en: 'Wait for `Retry-After`, then send the same request again.',
    fr: 'Attendez le temps de `Retry-After`, puis renvoyez la même requête.',
  },
  body_too_large: {
    en: 'Send a smaller body. `content` may have 51,200 bytes.',
    fr: 'Envoyez un corps plus petit. `content` peut avoir 51\u00A0200 octets.',
  },
  unsupported_media_type: { en: 'Send uncompressed JSON in UTF-8.', fr: 'Envoyez du JSON non compressé, en UTF-8.' },
  idempotency_key_reused: {
    en: 'Use a new key for a new contract. Repeat a request byte for byte.',
    fr: 'Utilisez une nouvelle clé pour un nouveau contrat. Répétez une requête octet pour octet.',
  },
  rate_limited: {
    en: 'Wait for `Retry-After`. If it happens again, wait longer.',
    fr: 'Attendez le temps de `Retry-After`. Si cela se répète, attendez plus longtemps.',
  },
  quota_exceeded: {
    en: 'Alert a person: ask for a larger plan, or wait for the next month. `Retry-After` can be weeks, so do not let the program wait for it.',
    fr: 'Alertez une personne\u00A0: demandez un forfait plus grand ou attendez le mois suivant. `Retry-After` peut durer des semaines\u00A0: ne laissez pas le programme attendre.',
  },
  headers_too_large: {
    en: 'Send fewer or shorter headers.',
    fr: 'Envoyez des en-têtes moins nombreux ou plus courts.',
  },
  internal_error: {
    en: 'Try again. If it happens again, give the `requestId` to the operator.',
    fr: 'Réessayez. Si cela se répète, donnez le `requestId` à l’exploitant.',
  },
  unavailable: {
    en: 'Wait for `Retry-After`, then retry with longer pauses. A POST with an `Idempotency-Key` is safe to retry.',
    fr: 'Attendez le temps de `Retry-After`, puis réessayez en espaçant. Un POST avec un `Idempotency-Key` peut être réessayé sans danger.',
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
