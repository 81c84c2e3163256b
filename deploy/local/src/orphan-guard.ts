// Loaded into every service by --import: ends the service in order when the launcher is gone. The launcher holds the other
// end of standard input and never writes; the end of it means that the launcher died, however it died. [local-stack]
process.stdin.on('error', () => undefined)
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
process.stdin.resume()
// It must not keep a service alive that has finished.
;(process.stdin as unknown as { unref?: () => void }).unref?.()
