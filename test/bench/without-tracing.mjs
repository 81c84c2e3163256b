// Loaded by --import: replaces the services' calls into tracing by empty functions, as if tracing did not exist.
import { registerHooks } from 'node:module'

const EMPTY = {
  'trace-context.js': `
    export const currentTraceparent = () => undefined
    export const readTraceparent = () => undefined
    export const recordCreation = () => undefined
    export const markFailed = () => {}
    export const inSpan = (_, work) => work()
    export const inOwnTrace = (_, work) => work()
    export const outsideTraces = (work) => work()
    export const linkTo = () => []`,
  'tracing-facade.js': `
    export const recordRoute = () => {}
    export const recordRequestId = () => {}
    export const withUrlTemplate = (_, send) => send()
    export const continueTracesAt = () => {}
    export const isTracing = () => false
    export const shutDownTracing = async () => {}`,
}

registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /\/libs\/telemetry\/dist\/([a-z-]+\.js)$/.exec(url) ?? []
    if (!Object.hasOwn(EMPTY, name ?? '')) return nextLoad(url, context)
    return { format: 'module', source: EMPTY[name], shortCircuit: true }
  },
})
