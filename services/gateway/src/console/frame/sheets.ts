// The style sheet of the console, in files by subject. One request loads all of them, after the shared sheet.

const SUBJECTS = ['frame', 'content', 'forms', 'usage', 'tables', 'keys', 'contracts', 'applications', 'plans']

/** In the order of the cascade: `narrow` and `modes` change rules of the subjects. */
export const CONSOLE_SHEETS: readonly URL[] = [...SUBJECTS, 'narrow', 'modes'].map(
  (name) => new URL(`./styles/${name}.css`, import.meta.url),
)
