// The commands that check a signed contract, with only openssl, sha256sum and a shell. Pages, certificate and documents show them;
// a test runs them unchanged. [D30, docs/explanation/evidence.md]

/** The first command checks the text, the others the signature over the evidence. */
export const CHECK_COMMANDS = [
  'sha256sum contract.txt',
  "cut -d. -f1,2 evidence.jws | tr -d '\\n' > signed.txt",
  "(cut -d. -f3 evidence.jws | tr -d '\\n' | tr _- /+; echo ==) | base64 -d > sig.bin",
  'openssl pkeyutl -verify -pubin -inkey paraph.pem -rawin -in signed.txt -sigfile sig.bin',
] as const

/** Writes the entries to lines.txt, one a line, and shows the first. */
export const READ_COMMANDS = [
  'payload=$(cut -d. -f2 evidence.jws | tr _- /+)',
  `printf '%s%.*s' "$payload" $(((4 - \${#payload} % 4) % 4)) === | base64 -d > lines.txt`,
  'head -n 1 lines.txt | cat -v',
] as const

/** Prints a line for each entry that does not contain the hash of the previous entry. */
export const CHAIN_COMMANDS = [
  `prev=$(printf '0%.0s' $(seq 64))`,
  'while IFS= read -r line; do',
  `  case $line in *"\\"prev\\":\\"$prev\\""*) ;; *) echo "does not follow: $line" | cat -v ;; esac`,
  `  prev=$(printf %s "$line" | sha256sum | cut -d ' ' -f 1)`,
  'done < lines.txt',
] as const

/**
 * Prints a line that begins with `yes` where the service publishes the key for the contract's environment, and the evidence ends before the
 * key was retired or in other hands. Needs lines.txt. [P38]
 */
export const KEY_COMMANDS = [
  // Reduces paraph.pem to the key that openssl verifies with; the file may hold more.
  'openssl pkey -pubin -in paraph.pem -out key.pem',
  `environment=$(head -n 1 lines.txt | grep -o '"environment":"[a-z]*"' | cut -d '"' -f 4)`,
  `day=$(grep -oE '"(at|completedAt)":"[0-9]{4}-[0-9]{2}-[0-9]{2}' lines.txt | cut -d '"' -f 4 | sort | tail -n 1)`,
  'fits() {',
  '  answer=yes',
  '  case ${1-} in "$environment" | "retired-$environment:"*) ;; *) answer=NO ;; esac',
  // `sort -c` fails where the day is after the last one. A list names no last day for a current key: letters sort after digits.
  `  printf '%s\\n' "\${day:-none}" "\${1-}" | sed s/.*:// | LC_ALL=C sort -c 2> /dev/null || answer=NO`,
  `  printf '%s\\n' "$day" "\${2-no limit}" | sed s/.*:// | LC_ALL=C sort -c -u 2> /dev/null || answer=NO`,
  '  echo "$answer: $environment, $day; listed: $*"',
  '}',
  `fits $(grep -B 2 -x -F "$(sed -n 2p key.pem)" paraph-evidence.pem | sed -n 's/^# [^ ]* //p')`,
] as const
