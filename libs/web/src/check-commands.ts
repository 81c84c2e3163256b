// What anybody types who checks a contract: openssl, sha256sum and a shell alone. On the page, on the certificate, in the documents;
// run by a test exactly as it stands here. [D30, docs/verifying-evidence.md]

/** The first for the text, the others for the signature over the evidence. */
export const CHECK_COMMANDS = [
  'sha256sum contract.txt',
  "cut -d. -f1,2 evidence.jws | tr -d '\\n' > signed.txt",
  "(cut -d. -f3 evidence.jws | tr -d '\\n' | tr _- /+; echo ==) | base64 -d > sig.bin",
  'openssl pkeyutl -verify -pubin -inkey paraph.pem -rawin -in signed.txt -sigfile sig.bin',
] as const

/** Writes the entries to lines.txt, one on a line, and shows the first. */
export const READ_COMMANDS = [
  'payload=$(cut -d. -f2 evidence.jws | tr _- /+)',
  `printf '%s%.*s' "$payload" $(((4 - \${#payload} % 4) % 4)) === | base64 -d > lines.txt`,
  'head -n 1 lines.txt | cat -v',
] as const

/** Prints a line for each entry that does not follow the one before it. */
export const CHAIN_COMMANDS = [
  `prev=$(printf '0%.0s' $(seq 64))`,
  'while IFS= read -r line; do',
  `  case $line in *"\\"prev\\":\\"$prev\\""*) ;; *) echo "does not follow: $line" | cat -v ;; esac`,
  `  prev=$(printf %s "$line" | sha256sum | cut -d ' ' -f 1)`,
  'done < lines.txt',
] as const

/** Prints 1 where the key is one that the service publishes. */
export const KEY_COMMANDS = [
  // As openssl reads it: a file may hold more than the key that verifies.
  'openssl pkey -pubin -in paraph.pem -out key.pem',
  'grep -c -x -F "$(sed -n 2p key.pem)" paraph-evidence.pem',
] as const
