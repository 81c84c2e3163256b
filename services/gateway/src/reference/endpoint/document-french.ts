// Canadian French for the sentences of the OpenAPI document, which is in English only. [D25]
// A test checks that every sentence on a page has an entry here and that no entry is unused.

/** English sentence → French sentence. */
export const DOCUMENT_FRENCH: Readonly<Record<string, string>> = {
  // Every endpoint
  'Identifies this request for the operator, the same as `requestId` in the body of an error.':
    'Désigne cette requête pour l’exploitant, comme `requestId` dans le corps d’une erreur.',

  'The limits as in the draft of the IETF: `q` requests in `w` seconds; for a counted call also the quota of the month.':
    'Les limites selon le projet de l’IETF\u00A0: `q` requêtes en `w` secondes; pour un appel compté, aussi le quota du mois.',
  'What is left of each limit (`r`), and the seconds until there is more (`t`).':
    'Ce qui reste de chaque limite (`r`), et les secondes jusqu’à ce qu’il y en ait plus (`t`).',

  // POST /contracts
  '`handling=strict` (RFC 7240): unknown fields are refused with 400 instead of ignored. Other preferences are ignored.':
    '`handling=strict` (RFC 7240)\u00A0: les champs inconnus sont refusés avec 400 au lieu d’être ignorés. Les autres préférences sont ignorées.',
  'Present if the request asked for strict handling.': 'Présent si la requête a demandé un traitement strict.',
  'Create a contract': 'Créer un contrat',
  'Creates a contract with two or more parties and sends each of them an email with the share link. Send an `Idempotency-Key` to retry safely.':
    'Crée un contrat à deux parties ou plus et envoie à chacune un courriel avec le lien de partage. Envoyez un `Idempotency-Key` pour réessayer sans danger.',
  'Your own name for this request, such as a UUID: 1 to 255 printable ASCII characters without a comma. Within 30 days, the same key with the same body, byte for byte, returns the same contract.':
    'Votre propre nom pour cette requête, par exemple un UUID\u00A0: de 1 à 255 caractères ASCII imprimables sans virgule. Pendant 30\u00A0jours, la même clé avec le même corps, octet pour octet, renvoie le même contrat.',
  'The people who sign. One person may have two roles. Two parties with the same role, name and email address are refused.':
    'Les personnes qui signent. Une personne peut avoir deux rôles. Deux parties avec le même rôle, le même nom et la même adresse courriel sont refusées.',
  'Role of the party in your own words, such as Buyer. Spaces at either end are removed. Invisible characters, `://` and `www.` are refused.':
    'Rôle de la partie en vos propres mots, par exemple Acheteur. Les espaces au début et à la fin sont retirées. Les caractères invisibles, `://` et `www.` sont refusés.',
  'Full legal name. The same rules as for `role`.': 'Nom légal complet. Mêmes règles que pour `role`.',
  'Where the share link and the one-time codes are sent. One address without a name: up to 64 ASCII characters without quotes before the @, then a domain with a dot, in any script.':
    'Où le lien de partage et les codes à usage unique sont envoyés. Une seule adresse sans nom\u00A0: jusqu’à 64 caractères ASCII sans guillemets avant le @, puis un domaine avec un point, dans toute écriture.',
  'Kind of contract.': 'Type de contrat.',
  'The whole contract as plain text in UTF-8. Numbered or upper-case lines become headings, blank lines separate paragraphs.':
    'Tout le contrat en texte brut, en UTF-8. Les lignes numérotées ou en majuscules deviennent des titres, les lignes vides séparent les paragraphes.',
  'Name of the sender in the emails. Default: the name of your account. An @, a web address, the name Paraph and a final "via" are refused.':
    'Nom de l’expéditeur dans les courriels. Par défaut\u00A0: le nom de votre compte. Un @, une adresse Web, le nom Paraph et un «\u00A0via\u00A0» final sont refusés.',
  'Your own data, such as an order number. Keys have 1 to 40 characters, values up to 500. GET returns it; the parties never see it.':
    'Vos propres données, par exemple un numéro de commande. Les clés ont de 1 à 40 caractères, les valeurs jusqu’à 500. GET les renvoie; les parties ne les voient jamais.',
  'Always true.': 'Toujours true.',
  'The new contract.': 'Le nouveau contrat.',
  'Identifier of the contract.': 'Identifiant du contrat.',
  'Human-readable number with the UTC date of creation.': 'Numéro lisible qui contient la date de création en UTC.',
  'The secret part of the share link. Anyone who has it can open the link, so keep it out of logs.':
    'La partie secrète du lien de partage. Toute personne qui la possède peut ouvrir le lien\u00A0: gardez-la hors des journaux.',
  'The share link, where the parties read and sign. It is the same for all parties. GET /contracts/{id} does not return it.':
    'Le lien de partage, où les parties lisent et signent. Il est le même pour toutes. GET /contracts/{id} ne le renvoie pas.',
  '`pending_signature`: nobody has signed. `partially_signed`: at least one party has. `signed`, `expired` and `cancelled` are final.':
    '`pending_signature`\u00A0: personne n’a signé. `partially_signed`\u00A0: au moins une partie a signé. `signed`, `expired` et `cancelled` sont définitifs.',
  'The parties, in the order of the request.': 'Les parties, dans l’ordre de la requête.',
  'Role of the party, without spaces at either end.': 'Rôle de la partie, sans espaces au début ni à la fin.',
  'Full legal name, without spaces at either end.': 'Nom légal complet, sans espaces au début ni à la fin.',
  'Email address. Same as in the request.': 'Adresse courriel. Comme dans la requête.',
  'Signing progress.': 'Progression des signatures.',
  'Parties that have signed.': 'Parties qui ont signé.',
  'Number of parties.': 'Nombre de parties.',
  '`total` minus `signed`.': '`total` moins `signed`.',
  'Share of parties that have signed, rounded to two decimals.':
    'Pourcentage des parties qui ont signé, arrondi à deux décimales.',
  'When the contract was created.': 'Moment de la création du contrat.',
  'When the contract expires: 14 days after `createdAt`, 1 hour in the sandbox. Nobody can sign after that.':
    'Moment où le contrat expire\u00A0: 14\u00A0jours après `createdAt`, 1\u00A0heure dans le bac à sable. Ensuite, personne ne peut signer.',
  'Path of the new contract.': 'Chemin du nouveau contrat.',
  'Present on a replay, which is not billed.': 'Présent dans une répétition, qui n’est pas facturée.',

  // Headers of every endpoint
  'Requests allowed in any 60 seconds.': 'Requêtes permises en 60\u00A0secondes quelconques.',
  'Requests left after this one.': 'Requêtes qui restent après celle-ci.',
  'Seconds until the oldest request of the last minute no longer counts.':
    'Secondes jusqu’à ce que la plus ancienne requête de la dernière minute ne compte plus.',
  'What this call takes from the quota if it is billed: 1, or 0 for a replay and for 304.':
    'Ce que cet appel prend du quota s’il est facturé\u00A0: 1, ou 0 pour une répétition et pour 304.',
  'Whether this call was billed: only 2xx is, and replays are not.':
    'Si cet appel a été facturé\u00A0: seuls les 2xx le sont, et les répétitions ne le sont pas.',

  // GET /contracts/{id}
  'Get a contract': 'Lire un contrat',
  'Returns the contract and who has signed. Poll it until `status` is final. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed. Add `Prefer: wait=30` to wait for a change.':
    'Renvoie le contrat et indique qui a signé. Interrogez-le jusqu’à ce que `status` soit définitif. Envoyez le dernier `ETag` comme `If-None-Match` pour recevoir 304 tant que rien n’a changé. Ajoutez `Prefer: wait=30` pour attendre un changement.',
  'One or more values of `ETag`. The response is 304 while one of them is current.':
    'Une ou plusieurs valeurs d’`ETag`. La réponse est 304 tant que l’une d’elles est à jour.',
  '`wait=N` (RFC 7240), together with `If-None-Match`: the response waits until the contract changes, at most N seconds. The maximum is 30. Other preferences are ignored.':
    '`wait=N` (RFC 7240), avec `If-None-Match`\u00A0: la réponse attend que le contrat change, au plus N secondes. Le maximum est 30. Les autres préférences sont ignorées.',
  'A contract in its current state.': 'Un contrat dans son état actuel.',
  'Whether this party has signed.': 'Si cette partie a signé.',
  'Where the invitation stands. `pending`: not sent yet. `sent`: the mail server accepted it. `delayed`: tried for more than 5 minutes, and tried again. `refused`: not accepted for good; check the address with the party.':
    'Où en est l’invitation. `pending`\u00A0: pas encore envoyée. `sent`\u00A0: le serveur de courriel l’a acceptée. `delayed`\u00A0: en attente depuis plus de 5\u00A0minutes, encore essayée. `refused`\u00A0: refusée définitivement; vérifiez l’adresse avec la partie.',
  'When this party declined to sign; null if it has not.':
    'Moment où cette partie a refusé de signer; null si elle ne l’a pas fait.',
  'One entry per signature, oldest first.': 'Une entrée par signature, de la plus ancienne à la plus récente.',
  'Email address of the party.': 'Adresse courriel de la partie.',
  'Legal name of the party.': 'Nom légal de la partie.',
  'Role of the party.': 'Rôle de la partie.',
  'When the party signed.': 'Moment où la partie a signé.',
  'Name of the sender in the emails.': 'Nom de l’expéditeur dans les courriels.',
  'Same as in the request; empty if the request had none.': 'Comme dans la requête; vide si la requête n’en avait pas.',
  'When the contract expires. Nobody can sign after that.':
    'Moment où le contrat expire. Ensuite, personne ne peut signer.',
  'When the last party signed; null before that.': 'Moment où la dernière partie a signé; null avant cela.',
  'When the contract became `signed`, `expired` or `cancelled`; null before that.':
    'Moment où le contrat est devenu `signed`, `expired` ou `cancelled`; null avant cela.',
  'Why the contract was cancelled; null if it was not, or if nobody gave a reason.':
    'Pourquoi le contrat a été annulé; null s’il ne l’a pas été, ou si personne n’a donné de raison.',
  'Changes whenever the body changes, also when the contract expires.':
    'Change chaque fois que le corps change, aussi quand le contrat expire.',
  'When the contract last changed.': 'Moment du dernier changement du contrat.',
  'You may store the response, but ask again before you use it.':
    'Vous pouvez conserver la réponse, mais interrogez de nouveau avant de l’utiliser.',
  'Present if the response waited: the longest wait in seconds. If it is absent, pause for a second before you poll again.':
    'Présent si la réponse a attendu\u00A0: l’attente la plus longue, en secondes. S’il est absent, faites une pause d’une seconde avant d’interroger de nouveau.',

  // GET /usage
  'Get usage and quota': 'Lire l’utilisation et le quota',
  'Counts the calls of your account in the environment of the key, including this one. Over the quota, `overageCalls` grows and `remaining` stays 0.':
    'Compte les appels de votre compte dans l’environnement de la clé, y compris celui-ci. Au-delà du quota, `overageCalls` augmente et `remaining` reste à 0.',
  'The usage of the account in the environment of the key.': 'L’utilisation du compte dans l’environnement de la clé.',
  'Billing period: a calendar month in UTC.': 'Période de facturation\u00A0: un mois civil en UTC.',
  'All calls with a valid key that the rate limit admitted, whatever the response. Includes this call.':
    'Tous les appels avec une clé valide que la limite de débit a admis, quelle que soit la réponse. Comprend cet appel.',
  'Calls that count against the quota: the weights of all responses with 2xx. Refusals, replays and 304 are free.':
    'Appels qui comptent dans le quota\u00A0: les poids de toutes les réponses 2xx. Les refus, les répétitions et 304 sont gratuits.',
  'Monthly quota of the plan.': 'Quota mensuel du forfait.',
  '`quotaLimit` minus `billableCalls`, at least 0.': '`quotaLimit` moins `billableCalls`, au moins 0.',
  '`billableCalls` minus `quotaLimit`, at least 0.': '`billableCalls` moins `quotaLimit`, au moins 0.',
  '`totalCalls` by endpoint. Endpoints without calls are absent.':
    '`totalCalls` par point d’accès. Les points d’accès sans appel n’y figurent pas.',
  'Start of the period.': 'Début de la période.',
  'End of the period: its last millisecond.': 'Fin de la période\u00A0: sa dernière milliseconde.',

  // GET /status
  'Check a key and the service': 'Vérifier une clé et le service',
  'Shows whether the key is valid and what it may do. Also works for suspended accounts.':
    'Indique si la clé est valide et ce qu’elle permet. Fonctionne aussi pour les comptes suspendus.',
  '`degraded` while a part of the service is not ready. The HTTP status is 200 in both cases.':
    '`degraded` tant qu’une partie du service n’est pas prête. Le statut HTTP est 200 dans les deux cas.',
  'The subscription of the account.': 'L’abonnement du compte.',
  'Name of the plan in lower case.': 'Nom du forfait en minuscules.',
  '`trial`: only sandbox keys work. `ended`: every other call is refused.':
    '`trial`\u00A0: seules les clés du bac à sable fonctionnent. `ended`\u00A0: tout autre appel est refusé.',
  'The key of this request.': 'La clé de cette requête.',
  'Identifier of the key. It is not secret.': 'Identifiant de la clé. Il n’est pas secret.',
  'Name of the key.': 'Nom de la clé.',
  'Contracts of `production` are legally binding, those of `sandbox` are not.':
    'Les contrats de `production` engagent les parties, ceux de `sandbox` n’engagent personne.',
  'What the key may do.': 'Ce que permet la clé.',
  'When the key was created.': 'Moment de la création de la clé.',
  'When the key expires; null if it does not expire.': 'Moment où la clé expire; null si elle n’expire pas.',
  'The limits of the plan.': 'Les limites du forfait.',
  'Rate limit of the account in this environment: requests in any 60 seconds.':
    'Limite de débit du compte dans cet environnement\u00A0: requêtes en 60\u00A0secondes quelconques.',
  'Quota of the account in this environment: calls per calendar month.':
    'Quota du compte dans cet environnement\u00A0: appels par mois civil.',
  'Version of the API.': 'Version de l’API.',
}
