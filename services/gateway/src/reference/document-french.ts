// Canadian French for the sentences of the OpenAPI document, which is in English only. [D25]
// A test checks that every sentence on a page has an entry here and that no entry is unused.

/** English sentence → French sentence. */
export const DOCUMENT_FRENCH: Readonly<Record<string, string>> = {
  // POST /contracts
  'Create a multi-party contract': 'Créer un contrat à plusieurs parties',
  'Stores the contract and sends a signing e-mail to every party. With an `Idempotency-Key` it is safe to repeat.':
    'Enregistre le contrat et envoie à chaque partie un courriel qui l’invite à signer. Avec un `Idempotency-Key`, on peut la répéter sans danger.',
  '1 to 255 printable ASCII characters without a comma, such as a UUID. Within 24 hours the same key with the same body, byte for byte, gives the same contract and makes no second one.':
    'De 1 à 255 caractères ASCII imprimables sans virgule, par exemple un UUID. Dans les 24\u00A0heures, la même clé avec le même corps, octet pour octet, donne le même contrat et n’en crée pas de second.',
  'Who signs, 2 to 50. One person may sign in two roles, but the same role, name and address twice is refused.':
    'Qui signe, de 2 à 50. Une personne peut signer dans deux rôles, mais deux fois le même rôle, le même nom et la même adresse est refusé.',
  "The party's role in free text, such as buyer or discloser. 1 to 100 characters, none of them invisible, without :// and www.; stored trimmed.":
    'Le rôle de la partie en texte libre, par exemple acheteur ou divulgateur. De 1 à 100 caractères, aucun invisible, sans « :// » ni « www. »; gardé sans espaces aux bouts.',
  'Full legal name. 1 to 200 characters, none of them invisible, without :// and www.; stored trimmed.':
    'Nom légal complet. De 1 à 200 caractères, aucun invisible, sans « :// » ni « www. »; gardé sans espaces aux bouts.',
  'The signing link is sent here. One plain address: up to 64 ASCII characters without quotes before the @, a domain with a dot after it (its letters may be of any script). Kept as sent, compared without regard to case.':
    'Le lien de signature est envoyé ici. Une seule adresse simple\u00A0: jusqu’à 64 caractères ASCII sans guillemets avant le @, puis un domaine avec un point (ses lettres peuvent être de toute écriture). Gardée comme envoyée, comparée sans égard à la casse.',
  'What kind of contract it is.': 'De quelle sorte de contrat il s’agit.',
  'The whole contract as plain text, at most 51,200 bytes of UTF-8. Numbered or upper-case headings and blank lines are kept as formatting.':
    'Tout le contrat en texte brut, au plus 51\u00A0200 octets d’UTF-8. Les titres numérotés ou en majuscules et les lignes vides sont gardés comme mise en forme.',
  'Display name in the e-mails, 1 to 100 characters. Holds no @, no web address and not our name, and does not end in "via". Left out: the name of the account.':
    'Nom affiché dans les courriels, de 1 à 100 caractères. Ne contient ni @, ni adresse Web, ni notre nom, et ne finit pas par «\u00A0via\u00A0». Absent\u00A0: le nom du compte.',
  'String pairs for your own tracking: at most 50, keys of 1 to 40 and values of up to 500 characters. GET gives them back.':
    'Paires de chaînes pour votre propre suivi\u00A0: au plus 50, des clés de 1 à 40 caractères et des valeurs de 500 au plus. GET les rend.',
  'On every 2xx answer about contracts and usage.': 'Dans toute réponse 2xx sur les contrats et l’utilisation.',
  'A contract as it was made.': 'Un contrat tel qu’il a été créé.',
  'Identifier of the contract, as POST /contracts gave it.':
    'Identifiant du contrat, tel que POST /contracts l’a donné.',
  'Number for people; holds the UTC date of creation.':
    'Numéro pour les personnes; contient la date de création en UTC.',
  'The secret in the share link. Whoever has it can open the link: keep it out of logs.':
    'Le secret du lien de partage. Qui l’a peut ouvrir le lien\u00A0: gardez-le hors des journaux.',
  'Where the parties read and sign; the same link for all. The e-mails hold it too.':
    'Là où les parties lisent et signent; le même lien pour toutes. Les courriels le contiennent aussi.',
  '`pending_signature`: nobody has signed. `partially_signed`: some have. `signed`, `expired`, `cancelled` are final: stop polling.':
    '`pending_signature`\u00A0: personne n’a signé. `partially_signed`\u00A0: certains ont signé. `signed`, `expired`, `cancelled` sont définitifs\u00A0: cessez d’interroger.',
  'As sent.': 'Comme envoyé.',
  'In the order sent.': 'Dans l’ordre de l’envoi.',
  'Role of the party, trimmed.': 'Rôle de la partie, sans espaces aux bouts.',
  'Full legal name, trimmed.': 'Nom légal complet, sans espaces aux bouts.',
  'E-mail address as sent.': 'Adresse de courriel comme envoyée.',
  'How far the signing is.': 'Où en est la signature.',
  'Parties that have signed.': 'Parties qui ont signé.',
  'Number of parties.': 'Nombre de parties.',
  'total minus signed.': 'total moins signed.',
  'Share of parties signed, rounded to two decimals.': 'Part des parties qui ont signé, arrondie à deux décimales.',
  'When it was made. ISO 8601, UTC, milliseconds.': 'Moment de la création. ISO 8601, UTC, millisecondes.',
  '14 days after createdAt; 1 hour in the sandbox. From then on nothing can be signed.':
    '14\u00A0jours après createdAt; 1\u00A0heure dans le bac à sable. Dès lors, rien ne peut être signé.',
  'Path of the new contract.': 'Chemin du nouveau contrat.',
  'On the answer to a repeated request; such a call is not billed.':
    'Dans la réponse à une requête répétée; un tel appel n’est pas facturé.',

  // Headers of every endpoint
  'Requests that the window of one minute takes.': 'Requêtes que contient la fenêtre d’une minute.',
  'Requests left in the window, after this one.': 'Requêtes qui restent dans la fenêtre, après celle-ci.',
  'Seconds until the window resets: until its oldest request leaves it.':
    'Secondes jusqu’à ce que la fenêtre se libère\u00A0: jusqu’à ce que sa requête la plus ancienne en sorte.',
  'Calls of quota that this call costs when it is billed; 0 for a replay.':
    'Appels du quota que coûte cet appel quand il est facturé; 0 pour une répétition.',
  'Whether this call was billed: answered 2xx or 304, and no replay.':
    'Si cet appel a été facturé\u00A0: répondu 2xx ou 304, et pas une répétition.',

  // GET /contracts/{id}
  'Contract details and signing progress': 'Un contrat et l’avancement de sa signature',
  'Poll it until `status` is final. Send the `ETag` of the last answer as `If-None-Match` and get 304 while nothing has changed; add `Prefer: wait=30` and the answer waits for a change.':
    'Interrogez-le jusqu’à ce que `status` soit définitif. Envoyez l’`ETag` de la dernière réponse comme `If-None-Match` et recevez 304 tant que rien n’a changé; ajoutez `Prefer: wait=30` et la réponse attend un changement.',
  'The `ETag` of an earlier answer, or several: 304 while it is still the right one.':
    'L’`ETag` d’une réponse antérieure, ou plusieurs\u00A0: 304 tant que c’est encore le bon.',
  '`wait=N` with `If-None-Match` (RFC 7240): hold the answer until the contract changes, N seconds at most; more than 30 counts as 30. What is no such preference is ignored.':
    '`wait=N` avec `If-None-Match` (RFC 7240)\u00A0: retenir la réponse jusqu’à ce que le contrat change, N secondes au plus; plus de 30 compte comme 30. Toute autre préférence est ignorée.',
  'A contract as it stands.': 'Un contrat tel qu’il est.',
  'Whether this party has signed.': 'Si cette partie a signé.',
  'One for each party that has signed, oldest first.':
    'Une pour chaque partie qui a signé, de la plus ancienne à la plus récente.',
  'E-mail address of the party.': 'Adresse de courriel de la partie.',
  'Legal name of the party.': 'Nom légal de la partie.',
  'Role of the party.': 'Rôle de la partie.',
  'When the party signed. ISO 8601, UTC, milliseconds.': 'Moment de la signature. ISO 8601, UTC, millisecondes.',
  'Display name in the e-mails.': 'Nom affiché dans les courriels.',
  'As sent; empty when none was.': 'Comme envoyé; vide si rien ne l’a été.',
  'From then on nothing can be signed.': 'Dès lors, rien ne peut être signé.',
  'When the last party signed; null until then.': 'Moment où la dernière partie a signé; null jusque-là.',
  'Changes whenever the body does, expiry included.': 'Change dès que le corps change, expiration comprise.',
  'When the contract last changed.': 'Moment du dernier changement du contrat.',
  'Keep it, but ask each time.': 'Gardez-la, mais demandez chaque fois.',
  'The wait was honoured, and for how long at most. Without it the answer came at once: wait a moment before the next.':
    'L’attente a été respectée, et pour combien de temps au plus. Sans lui, la réponse est venue aussitôt\u00A0: attendez un moment avant la suivante.',

  // GET /usage
  'Quota and usage of the current billing period': 'Quota et utilisation de la période en cours',
  'Counts calls of the account in the environment of the key, this one included. Over the quota, `overageCalls` grows and `remaining` stays 0.':
    'Compte les appels du compte dans l’environnement de la clé, celui-ci compris. Au-delà du quota, `overageCalls` augmente et `remaining` reste à 0.',
  'What the account used in the environment of the key.': 'Ce que le compte a utilisé dans l’environnement de la clé.',
  'The billing period: a calendar month, in UTC.': 'La période de facturation\u00A0: un mois civil, en UTC.',
  'Every call that passed key and window and was answered, whatever the answer. This one is counted.':
    'Tout appel qui a passé la clé et la fenêtre et a reçu une réponse, quelle qu’elle soit. Celui-ci est compté.',
  'The sum of the weights of the calls answered 2xx or 304; refusals and replays cost nothing.':
    'La somme des poids des appels répondus 2xx ou 304; refus et répétitions ne coûtent rien.',
  'Monthly quota of the tier.': 'Quota mensuel du palier.',
  'quotaLimit minus billableCalls, at least 0.': 'quotaLimit moins billableCalls, au moins 0.',
  'billableCalls minus quotaLimit, at least 0.': 'billableCalls moins quotaLimit, au moins 0.',
  'totalCalls by endpoint; its values add up to totalCalls. An endpoint never called is left out.':
    'totalCalls par point d’accès; la somme des valeurs est totalCalls. Un point d’accès jamais appelé n’y figure pas.',
  'First instant of the period.': 'Premier instant de la période.',
  'Last millisecond of the period.': 'Dernière milliseconde de la période.',

  // GET /status
  'Health check, and what the key may do': 'État du service, et ce que permet la clé',
  'Use it to confirm that a key is valid. It answers for suspended accounts too.':
    'Sert à confirmer qu’une clé est valide. Elle répond aussi aux comptes suspendus.',
  '`degraded` while a service behind the gateway is not ready; still 200.':
    '`degraded` tant qu’un service derrière la passerelle n’est pas prêt; toujours 200.',
  'What the account has.': 'Ce que possède le compte.',
  'Name of the tier in lower case.': 'Nom du palier en minuscules.',
  '`trial`: sandbox keys only. `ended`: every call but this one is refused.':
    '`trial`\u00A0: seulement des clés du bac à sable. `ended`\u00A0: tout autre appel que celui-ci est refusé.',
  'The key that was sent.': 'La clé qui a été envoyée.',
  'Names the key to the operator; not secret.': 'Nomme la clé auprès de l’exploitant; n’est pas secret.',
  'The name that it was given.': 'Le nom qu’on lui a donné.',
  'Whether its contracts bind.': 'Si ses contrats engagent.',
  'What it may do.': 'Ce qu’elle permet.',
  'When it was made.': 'Moment de sa création.',
  'When it stops being valid; null: never.': 'Moment où elle cesse d’être valide; null\u00A0: jamais.',
  'What the tier allows.': 'Ce que permet le palier.',
  'Window of the account in this environment, in requests per minute.':
    'Fenêtre du compte dans cet environnement, en requêtes par minute.',
  'Quota of the account in this environment, in calls per calendar month.':
    'Quota du compte dans cet environnement, en appels par mois civil.',
  'Release of the interface.': 'Version de l’interface.',
}
