// Finds the row of a route table that a request matches. The template of the row is also its name in spans and metrics. Pure. [I14]

/** A row. `{name}` in the template stands for one segment of the path. */
interface Row {
  /** If absent, the row matches every method. A row for GET also matches HEAD. */
  method?: string
  template: string
}

/** The pattern of the paths of a template, with a named group per parameter. @param segment the pattern of a parameter */
export function patternOf(template: string, segment = '[^/]+'): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, `(?<$1>${segment})`)}$`)
}

/** @returns a function that finds the first matching row, with the parameters of the path */
export function createRouteFinder<Route extends Row>(table: readonly Route[], segment?: string) {
  const compiled = table.map((route) => ({ route, pattern: patternOf(route.template, segment) }))
  return (method: string, path: string): { route: Route; parameters: Record<string, string> } | undefined => {
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const { route, pattern } of compiled) {
      const match = (route.method ?? wanted) === wanted ? pattern.exec(path) : null
      if (match) return { route, parameters: { ...match.groups } }
    }
    return undefined
  }
}
