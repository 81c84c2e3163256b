// Whether this Node can run Paraph. Plain JavaScript that every Node reads, for the programs that a person starts. [local-stack]

/** One sentence if this Node is too old: the HTTP client and the compression of a newer one are needed. Undefined if it can run Paraph. */
export function oldNodeSentence() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 15)) return undefined
  return `This is Node ${process.versions.node}, and Paraph runs on its own Node 24. With Node 20.19 or newer on the machine, run npm ci (with install scripts) and then npm start.`
}
