/** Arguments for a Node process that runs a fixture or a program from its TypeScript sources, with the hooks that jest uses. */
export const FROM_SOURCES: readonly string[] = [
  '--import',
  new URL('../../../test/runner/modules.mjs', import.meta.url).href,
]
