// The programs that look at the chart: on the PATH, or where .ci/chart-tools puts them.
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paraph-kube')
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), join(CACHE, 'bin')]

/** What every test of the chart may use. */
export const CHART_TOOLS = ['helm', 'kubeconform', 'kube-score', 'promtool'] as const
export type ChartTool = (typeof CHART_TOOLS)[number]

/** The Kubernetes whose schemas are there. */
export const KUBERNETES = '1.34.4'
const SCHEMAS = join(CACHE, 'schemas')

/** Where kubeconform finds a schema without a network. */
export const SCHEMA_LOCATION = `${SCHEMAS}/{{.NormalizedKubernetesVersion}}-standalone{{.StrictSuffix}}/{{.ResourceKind}}{{.KindSuffix}}.json`

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Undefined where it is not there. */
export const pathOf = (tool: ChartTool): string | undefined => FOLDERS.map((folder) => join(folder, tool)).find(mayRun)

/** True when all of them and the schemas are there. */
export const chartToolsAreThere = (): boolean =>
  CHART_TOOLS.every((tool) => pathOf(tool) !== undefined) && mayRun(join(SCHEMAS, `v${KUBERNETES}-standalone-strict`))

/** They live for less than a second: collecting garbage as if they stayed takes a fifth of promtool's CPU. */
export const TOOL_ENVIRONMENT = { GOGC: '400', ...process.env }

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs one of them to its end. @param input for its standard input */
export function runTool(tool: ChartTool, args: readonly string[], input?: string): Ran {
  try {
    const stdout = execFileSync(pathOf(tool) ?? tool, args, {
      encoding: 'utf8',
      env: TOOL_ENVIRONMENT,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout?: string; stderr?: string }
    if (stdout === undefined) throw error
    return { code: status ?? 1, stdout, stderr: stderr ?? '' }
  }
}
