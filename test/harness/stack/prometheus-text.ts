// Reads the metrics of a running stack's services in the text format of Prometheus.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const SERVICES = ['gateway', 'contract', 'signing', 'notification'] as const
type Service = (typeof SERVICES)[number]

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** Reads the internal URL of each service of a stack. [local-stack: the data folder] */
export async function internalUrls(folder: string): Promise<Record<Service, string>> {
  const kept = JSON.parse(await readFile(join(folder, 'internal.json'), 'utf8')) as Record<`${Service}Url`, string>
  return Object.fromEntries(SERVICES.map((service) => [service, kept[`${service}Url`]])) as Record<Service, string>
}

/** Reads `/metrics` of each service. */
export async function readMetricTexts(folder: string): Promise<Record<Service, string>> {
  const texts = Object.entries(await internalUrls(folder)).map(async ([service, url]) => {
    const answer = await fetch(`${url}/metrics`)
    if (answer.status !== 200) throw new Error(`/metrics of ${service} returned the status ${answer.status}`)
    return [service, await answer.text()]
  })
  return Object.fromEntries(await Promise.all(texts)) as Record<Service, string>
}

/** Parses the samples of a text. @throws Error for a line that is neither a sample nor a comment */
export function readSeries(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
      if (!match) throw new Error(`not a sample: ${line}`)
      const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
        name,
        value,
      ])
      return { name: match[1]!, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(match[3]) }
    })
}
