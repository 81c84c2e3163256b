// Loaded into every service by --import: stops the service gracefully when the launcher has died. The launcher has the other end of
// standard input and never writes to it, so end of file means its death, even by SIGKILL. [local-stack]
process.stdin.on('error', () => undefined)
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.resume()
// Standard input must not keep a finished service alive.
;(process.stdin as unknown as { unref?: () => void }).unref?.()
