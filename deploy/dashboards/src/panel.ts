// What a dashboard of Grafana is made of, as far as ours need it: panels in rows, three variables. Pure. [H24]
// Owns: how a panel is written. Does not own: what is asked (one file for each dashboard).

export type Unit = 'percentunit' | 'reqps' | 's' | 'short' | 'bool_yes_no' | 'bytes' | 'none'

export interface Panel {
  type: 'timeseries' | 'stat' | 'table' | 'logs' | 'text'
  title: string
  /** What it tells, and what is bad. */
  description: string
  unit: Unit
  queries: readonly Query[]
  /** From here on it is drawn red. */
  redFrom?: number
  markdown?: string
}

export interface Query {
  /** PromQL, LogQL or TraceQL. */
  expr: string
  legend: string
  source?: 'prometheus' | 'loki' | 'tempo'
}

export interface Dashboard {
  /** Its file, and its address in Grafana. */
  name: string
  title: string
  description: string
  variables: readonly object[]
  /** Panels of one row share its width; each row begins with its title. */
  rows: readonly { title: string; height?: number; panels: readonly Panel[] }[]
}

const WIDTH = 24
const HEIGHT = 8

/** The installation that was chosen: goes into every pair of braces. */
export const HERE = 'namespace="$namespace"'
/** A reading of a metric of ours. */
export const ask = (expr: string, legend = ''): Query => ({ expr: expr.replaceAll('HERE', HERE), legend })

export const graph = (title: string, description: string, unit: Unit, ...queries: Query[]): Panel => ({
  ...{ type: 'timeseries', title, description, unit, queries },
})
export const number = (title: string, description: string, unit: Unit, query: Query, redFrom?: number): Panel => ({
  ...{ type: 'stat', title, description, unit, queries: [query] },
  ...(redFrom === undefined ? {} : { redFrom }),
})

const sourceVariable = (name: string, type: string, label: string) => ({
  ...{ name, label, type: 'datasource', query: type, refresh: 1, includeAll: false, multi: false },
})
export const PROMETHEUS = sourceVariable('datasource', 'prometheus', 'Prometheus')
export const LOKI = sourceVariable('loki', 'loki', 'Loki')
export const TEMPO = sourceVariable('tempo', 'tempo', 'Tempo')
export const NAMESPACE = {
  ...{ name: 'namespace', label: 'Namespace', type: 'query', refresh: 2, includeAll: false, multi: false },
  datasource: { type: 'prometheus', uid: '${datasource}' },
  query: 'label_values(paraph_database_up, namespace)',
}

/** The document that Grafana imports. */
export function documentOf({ name, title, description, variables, rows }: Dashboard) {
  let y = 0
  let id = 0
  const panels = rows.flatMap(({ title: rowTitle, height = HEIGHT, panels: inRow }) => {
    const head = {
      id: (id += 1),
      type: 'row',
      title: rowTitle,
      collapsed: false,
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
      panels: [],
    }
    const w = Math.floor(WIDTH / inRow.length)
    const drawn = inRow.map((panel, at) => ({
      id: (id += 1),
      ...draw(panel),
      gridPos: { x: at * w, y: y + 1, w, h: height },
    }))
    y += height + 1
    return [head, ...drawn]
  })
  return {
    ...{ uid: name, title, description, tags: ['paraph'], schemaVersion: 41, version: 1, editable: false },
    ...{ timezone: 'browser', refresh: '30s', time: { from: 'now-3h', to: 'now' }, graphTooltip: 1 },
    templating: { list: variables },
    panels,
  }
}

const SOURCES = { prometheus: '${datasource}', loki: '${loki}', tempo: '${tempo}' } as const

function draw({ type, title, description, unit, queries, redFrom, markdown }: Panel) {
  const [first] = queries
  const source = first?.source ?? 'prometheus'
  const steps = [{ color: 'green', value: null }, ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }])]
  return {
    ...{ type, title, description },
    datasource: { type: source, uid: SOURCES[source] },
    fieldConfig: { defaults: { unit, min: 0, thresholds: { mode: 'absolute', steps } }, overrides: [] },
    options: optionsOf(type, markdown),
    targets: queries.map((query, at) => targetOf(query, String.fromCodePoint(65 + at))),
  }
}

function optionsOf(type: Panel['type'], markdown = ''): object {
  switch (type) {
    case 'text':
      return { mode: 'markdown', content: markdown }
    case 'stat':
      return { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value' }
    case 'logs':
      return { showTime: true, wrapLogMessage: true, sortOrder: 'Ascending' }
    case 'timeseries':
      return { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } }
    case 'table':
      return {}
  }
}

function targetOf({ expr, legend, source = 'prometheus' }: Query, refId: string): object {
  switch (source) {
    case 'tempo':
      return { refId, queryType: 'traceql', query: expr, limit: 50, tableType: 'traces' }
    case 'loki':
    case 'prometheus':
      return { refId, expr, legendFormat: legend }
  }
}
