// The style sheet of the console, in files by subject. One request loads all of them, in this order, after the shared sheet.

// The last two change rules of the files before them.
const SUBJECTS = ['frame', 'content', 'forms', 'usage', 'tables', 'keys', 'contracts', 'applications', 'plans']

/** The parts of the style sheet that pages of the console add, in the order of the cascade. */
export const CONSOLE_SHEETS: readonly URL[] = [...SUBJECTS, 'narrow', 'modes'].map(
  (name) => new URL(`./styles/${name}.css`, import.meta.url),
)
