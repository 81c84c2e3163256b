/** The blocks of commands of a page, without those of a fresh clone. */
export function commandsOf(text: string): string[]
