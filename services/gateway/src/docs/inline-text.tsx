// A sentence as our documents write it: `code` between backquotes, [words](address) for a link. Everything else is text.
const MARKS = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/

/** The sentence as elements. What is inside is escaped by the renderer. */
export function InlineText({ text }: { text: string }) {
  // A split with groups gives text, code, words and address in turns; of the last three those that fit are there.
  const parts = text.split(MARKS)
  return (
    <>
      {parts.map((part, at) => {
        if (part === undefined) return null
        if (at % 4 === 1) return <code key={at}>{part}</code>
        if (at % 4 === 2) return null
        if (at % 4 !== 3) return part
        return (
          <a key={at} href={part}>
            {parts[at - 1]}
          </a>
        )
      })}
    </>
  )
}
