// `paraph documents …`: moves signed PDFs and evidence between the database and the object store, and finds objects without a row. [P43]
// Owns: the repeated calls and the progress on standard error. The signing service does the work (services/signing/src/documents).
import type { Command } from '../command.js'
import { forTerminal } from '../table.js'

const TARGETS = ['s3', 'postgres'] as const
type Target = (typeof TARGETS)[number]

export const documentsCommands: readonly Command[] = [
  {
    name: 'documents move',
    purpose:
      'Moves all signed PDFs and evidence files to the object store, or back into the database. Can be stopped and started again at any time.',
    options: { to: { value: TARGETS.join('|'), oneOf: TARGETS, required: true } },
    async run({ signing }, values) {
      const moved = { documents: 0, bytes: 0, damaged: [] as { contractId: string; kind: string; reason: string }[] }
      for (let after: string | null = ''; after !== null;) {
        const call: Awaited<ReturnType<typeof signing.documents.move.mutate>> = await signing.documents.move.mutate({
          to: values['to'] as Target,
          after,
        })
        moved.documents += call.documents
        moved.bytes += call.bytes
        moved.damaged.push(...call.damaged)
        after = call.after
        if (after !== null) progress(`${formatMoved(moved)}, up to ${after}`)
      }
      const lines = moved.damaged.map(({ contractId, kind, reason }) => `${contractId}  ${kind}  is ${reason}`)
      return {
        answer: moved,
        text: [...lines, `${formatMoved(moved)}.`].join('\n'),
        isWell: moved.damaged.length === 0,
      }
    },
  },
  {
    name: 'documents orphans',
    purpose:
      'Lists the objects that no row refers to and that nothing will delete, as a restore leaves them. With --delete, the service deletes them.',
    options: { delete: {} },
    async run({ signing }, values) {
      const isDeleting = values['delete'] !== undefined
      const found = { objects: 0, orphans: [] as string[] }
      for (let after: string | null = ''; after !== null;) {
        const call: Awaited<ReturnType<typeof signing.documents.orphans.mutate>> =
          await signing.documents.orphans.mutate({ after, isDeleting })
        found.objects += call.objects
        found.orphans.push(...call.orphans)
        after = call.after
        if (after !== null) progress(`${found.objects} objects seen, ${found.orphans.length} without a row`)
      }
      const state = isDeleting && found.orphans.length > 0 ? '; the service deletes them now' : ''
      const summary = `${found.orphans.length} of ${found.objects} objects have no row${state}.`
      return { answer: found, text: [...found.orphans.map(forTerminal), summary].join('\n') }
    },
  },
]

const formatMoved = ({ documents, bytes }: { documents: number; bytes: number }): string =>
  `${documents} ${documents === 1 ? 'document' : 'documents'} moved (${(bytes / 1e6).toFixed(1)} MB)`

/** On standard error, so that standard output has the result alone. */
function progress(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`)
}
