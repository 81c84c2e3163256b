// `paraph report …`: what people say about the requests they received.
import type { Command } from '../command-line.js'

export const reportCommands: readonly Command[] = [
  {
    name: 'report list',
    purpose: 'What was sent with "Report this request", the newest first.',
    options: {},
    run: async ({ signing }) => {
      const answer = await signing.report.list.query({})
      const lines = answer.reports.map(({ contractId, reason, message, createdAt }) =>
        [
          `${createdAt}  ${contractId}  ${reason}`,
          ...forTerminal(message)
            .split('\n')
            .map((line) => `    ${line}`),
        ].join('\n'),
      )
      return { answer, text: lines.length === 0 ? 'Nothing was reported.' : lines.join('\n') }
    },
  },
]

/** A stranger's words: no character of theirs may move the cursor, colour the screen or turn a line around. */
const forTerminal = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
