// Arguments for a Node process that runs a fixture from its TypeScript sources: imports name `.js`, so a hook tries `.ts`.
const HOOKS = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => {
  try { return next(name, context) } catch (error) {
    if (!name.endsWith('.js')) throw error
    return next(name.slice(0, -3) + '.ts', context)
  }
} })`

export const FROM_SOURCES: readonly string[] = [
  '--conditions=source',
  '--import',
  `data:text/javascript,${encodeURIComponent(HOOKS)}`,
]
