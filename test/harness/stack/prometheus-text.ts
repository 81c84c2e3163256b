// The metrics of the services of a running stack, in the format that Prometheus scrapes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const SERVICES = ['gateway', 'contract', 'signing', 'notification'] as const
type Service = (typeof SERVICES)[number]

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** The internal addresses of a stack. [local-stack: the data folder] */
export async function internalUrls(folder: string): Promise<Record<Service, string>> {
  const kept = JSON.parse(await readFile(join(folder, 'internal.json'), 'utf8')) as Record<`${Service}Url`, string>
  return Object.fromEntries(SERVICES.map((service) => [service, kept[`${service}Url`]])) as Record<Service, string>
}

/** The text of each service's `/metrics`. */
export async function readMetricTexts(folder: string): Promise<Record<Service, string>> {
  const texts = Object.entries(await internalUrls(folder)).map(async ([service, url]) => {
    const answer = await fetch(`${url}/metrics`)
    if (answer.status !== 200) throw new Error(`/metrics of ${service} answers ${answer.status}`)
    return [service, await answer.text()]
  })
  return Object.fromEntries(await Promise.all(texts)) as Record<Service, string>
}

/** The samples of a text; a line that is neither a sample nor a comment is an error. */
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
