// The shell commands of a document. Pure. Plain JavaScript, because two-commands.mjs also uses it.

/** Commands that only two-commands.mjs runs, in a fresh clone. */
const ELSEWHERE = ['npm ci && npm start', 'npm ci && npm test']

/**
 * The blocks of commands of a page, without those of a fresh clone.
 * @param {string} text
 * @returns {string[]}
 */
export const commandsOf = (text) =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => (block ?? '').trim())
    .filter((block) => !ELSEWHERE.includes(block))
