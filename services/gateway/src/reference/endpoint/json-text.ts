// JSON as a person would indent it: small objects and arrays stay on one line. Pure.

const LINE_LENGTH_MAX = 64

/** @param indent indentation of the value, in spaces @param used characters before the value on its first line */
export function jsonText(value: unknown, indent = 0, used = 0): string {
  const line = onOneLine(value)
  if (!isObject(value)) return line
  const entries = entriesOf(value)
  if (entries.length === 0 || (indent > 0 && indent + used + line.length <= LINE_LENGTH_MAX)) return line
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = indent + 2
  const lines = entries.map(([name, each]) => `${' '.repeat(inner)}${name}${jsonText(each, inner, name.length)}`)
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = entriesOf(value).map(([name, each]) => `${name}${onOneLine(each)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Each value after its label: `"name": ` in an object, nothing in an array. */
const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).map(([name, each]) => [Array.isArray(value) ? '' : `${JSON.stringify(name)}: `, each])
