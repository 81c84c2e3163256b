// The cause and the remedy of every error code. docs/errors.md has the same English; a test compares the two. [Errors]
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import type { Locale } from '@paraph/web/locale'

const MESSAGES: Readonly<Record<ErrorCode, Record<Locale, { when: string; todo: string }>>> = {
  invalid_request: {
    en: {
      when: 'A field or header breaks a rule, or the body is not JSON.',
      todo: 'Correct what `issues` names. The same request fails again.',
    },
    fr: {
      when: 'Un champ ou un en-tête enfreint une règle, ou le corps n’est pas du JSON.',
      todo: 'Corrigez ce que nomme `issues`. La même requête échouera de nouveau.',
    },
  },
  invalid_key: {
    en: {
      when: 'No key, two keys, or one that is malformed, unknown, revoked or expired: one answer for all.',
      todo: 'Check the header `x-api-key`. Do not retry.',
    },
    fr: {
      when: 'Aucune clé, deux clés, ou une clé mal formée, inconnue, révoquée ou expirée\u00A0: une seule réponse pour tous ces cas.',
      todo: 'Vérifiez l’en-tête `x-api-key`. Ne réessayez pas.',
    },
  },
  missing_scope: {
    en: { when: 'The key lacks the scope of this endpoint.', todo: 'Use a key that has it.' },
    fr: { when: 'La clé n’a pas la portée de ce point d’accès.', todo: 'Employez une clé qui l’a.' },
  },
  account_suspended: {
    en: { when: 'The operator suspended the account. `GET /status` still answers.', todo: 'Write to the operator.' },
    fr: { when: 'L’exploitant a suspendu le compte. `GET /status` répond encore.', todo: 'Écrivez à l’exploitant.' },
  },
  subscription_inactive: {
    en: {
      when: 'The subscription has ended, or it is a trial and the key is for production.',
      todo: 'Renew it, or use a sandbox key.',
    },
    fr: {
      when: 'L’abonnement a pris fin, ou c’est un essai et la clé est une clé de production.',
      todo: 'Renouvelez-le, ou employez une clé du bac à sable.',
    },
  },
  not_found: {
    en: {
      when: 'No such contract for your account in this environment, or no such path.',
      todo: 'Check the id, the path and whether the key is live or test.',
    },
    fr: {
      when: 'Votre compte n’a pas ce contrat dans cet environnement, ou ce chemin n’existe pas.',
      todo: 'Vérifiez l’identifiant, le chemin et si la clé est de production ou d’essai.',
    },
  },
  version_removed: {
    en: { when: 'Anything under `/api/external/v1`.', todo: 'Use `/api/external/v2`.' },
    fr: { when: 'Tout ce qui est sous `/api/external/v1`.', todo: 'Employez `/api/external/v2`.' },
  },
  method_not_allowed: {
    en: { when: 'The path has no such method; `Allow` says which it has.', todo: 'Use one of those.' },
    fr: { when: 'Le chemin n’a pas cette méthode; `Allow` dit lesquelles il a.', todo: 'Employez l’une d’elles.' },
  },
  request_timeout: {
    en: {
      when: 'The body took more than 20 seconds to arrive, or the headers more than 60.',
      todo: 'Send it again; a POST with its Idempotency-Key.',
    },
    fr: {
      when: 'Le corps a mis plus de 20\u00A0secondes à arriver, ou les en-têtes plus de 60.',
      todo: 'Renvoyez-la; un POST, avec son Idempotency-Key.',
    },
  },
  idempotency_in_progress: {
    en: {
      when: 'A request with this Idempotency-Key is still running.',
      todo: 'Wait for `Retry-After`, then send the same again.',
    },
    fr: {
      when: 'Une requête avec cet Idempotency-Key est encore en cours.',
      todo: 'Attendez le temps de `Retry-After`, puis renvoyez la même.',
    },
  },
  body_too_large: {
    en: { when: 'The body has more than 524,288 bytes.', todo: 'Send a smaller one. `content` may have 51,200 bytes.' },
    fr: {
      when: 'Le corps a plus de 524\u00A0288 octets.',
      todo: 'Envoyez-en un plus petit. `content` peut avoir 51\u00A0200 octets.',
    },
  },
  unsupported_media_type: {
    en: {
      when: 'The body is not announced as `application/json`, is in another charset, or is compressed.',
      todo: 'Send plain JSON in UTF-8.',
    },
    fr: {
      when: 'Le corps n’est pas annoncé comme `application/json`, est dans un autre jeu de caractères, ou est comprimé.',
      todo: 'Envoyez du JSON tel quel, en UTF-8.',
    },
  },
  idempotency_key_reused: {
    en: {
      when: 'This Idempotency-Key made a contract from another body within 24 hours.',
      todo: 'Use a new key for a new contract. Repeat a request byte for byte.',
    },
    fr: {
      when: 'Cet Idempotency-Key a créé un contrat à partir d’un autre corps dans les 24\u00A0heures.',
      todo: 'Prenez une nouvelle clé pour un nouveau contrat. Répétez une requête octet pour octet.',
    },
  },
  rate_limited: {
    en: {
      when: 'The window of the last minute is full.',
      todo: 'Wait for `Retry-After`; back off if it happens again.',
    },
    fr: {
      when: 'La fenêtre de la dernière minute est pleine.',
      todo: 'Attendez le temps de `Retry-After`; espacez davantage si cela se répète.',
    },
  },
  quota_exceeded: {
    en: {
      when: "The month's quota is used up, and the account stops there. The sandbox always does.",
      todo: 'Wait for the next month (`Retry-After` says how long), or ask for a larger tier.',
    },
    fr: {
      when: 'Le quota du mois est épuisé, et le compte s’y arrête. Le bac à sable le fait toujours.',
      todo: 'Attendez le mois suivant (`Retry-After` dit combien de temps), ou demandez un palier plus grand.',
    },
  },
  headers_too_large: {
    en: { when: 'The headers have more than 16 KiB.', todo: 'Send fewer or shorter ones.' },
    fr: { when: 'Les en-têtes ont plus de 16\u00A0Kio.', todo: 'Envoyez-en moins, ou de plus courts.' },
  },
  internal_error: {
    en: { when: 'A fault on our side.', todo: 'Try again; if it stays so, tell the operator the `requestId`.' },
    fr: { when: 'Une faute de notre côté.', todo: 'Réessayez; si cela dure, donnez le `requestId` à l’exploitant.' },
  },
  unavailable: {
    en: {
      when: 'A part of the service is away for a moment.',
      todo: 'Wait for `Retry-After`, then back off. A POST with an Idempotency-Key is safe.',
    },
    fr: {
      when: 'Une partie du service est absente pour un moment.',
      todo: 'Attendez le temps de `Retry-After`, puis espacez. Un POST avec un Idempotency-Key est sans danger.',
    },
  },
}

/** The table rows of `codes`, in the order of `ERROR_STATUS`. */
export const errorRows = (codes: readonly ErrorCode[], locale: Locale) =>
  (Object.keys(ERROR_STATUS) as ErrorCode[])
    .filter((code) => codes.includes(code))
    .map((code) => ({ code, status: ERROR_STATUS[code], ...MESSAGES[code][locale] }))
