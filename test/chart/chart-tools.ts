// The programs that check the chart and the OpenAPI document: on the PATH, or in the cache that .ci/chart-tools fills.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'paraph-kube')
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), join(CACHE, 'bin')]

/** The programs that the chart tests use. */
export const CHART_TOOLS = [
  'helm',
  'kubeconform',
  'kube-score',
  'promtool',
  'crane',
  'actionlint',
  'amtool',
  'oasdiff',
] as const
export type ChartTool = (typeof CHART_TOOLS)[number]

/** The Kubernetes version of the cached schemas. */
const KUBERNETES = '1.34.4'
const SCHEMAS = join(CACHE, 'schemas')

/** Where kubeconform finds schemas without a network: those of Kubernetes in the cache, those of custom resources beside this file. */
const SCHEMA_LOCATIONS = [
  `${SCHEMAS}/{{.NormalizedKubernetesVersion}}-standalone{{.StrictSuffix}}/{{.ResourceKind}}{{.KindSuffix}}.json`,
  `${fileURLToPath(new URL('crd-schemas', import.meta.url))}/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`,
]

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a program; undefined if it is not installed. */
export const pathOf = (tool: ChartTool): string | undefined => FOLDERS.map((folder) => join(folder, tool)).find(mayRun)

/** True if all programs and the schemas are installed. */
export const chartToolsAreThere = (): boolean =>
  CHART_TOOLS.every((tool) => pathOf(tool) !== undefined) && mayRun(join(SCHEMAS, `v${KUBERNETES}-standalone-strict`))

/** Reduces Go's garbage collection, which at the default GOGC takes a fifth of the CPU time of a short promtool run. */
export const TOOL_ENVIRONMENT = { GOGC: '400', ...process.env }

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program to its end. @param input its standard input */
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

export interface Validation {
  /** The name of its file. */
  file: string
  kind: string
  name: string
  /** `statusValid`, or what is wrong. */
  status: string
  msg: string
}

/**
 * Validates every object of `files` with kubeconform, in one run, which reads each schema once. An unknown kind is an error.
 * @param files name → YAML
 */
export function validate(files: Readonly<Record<string, string>>): readonly Validation[] {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-validate-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.yaml`), text)
    const options = ['-strict', '-verbose', '-output', 'json', '-kubernetes-version', KUBERNETES]
    const locations = SCHEMA_LOCATIONS.flatMap((location) => ['-schema-location', location])
    const { stdout } = runTool('kubeconform', [...options, ...locations, folder])
    const { resources } = JSON.parse(stdout) as { resources: (Omit<Validation, 'file'> & { filename: string })[] }
    return resources.map(({ filename, ...rest }) => ({ file: basename(filename, '.yaml'), ...rest }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
