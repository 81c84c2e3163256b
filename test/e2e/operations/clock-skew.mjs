// Preloaded with `node --import`: shifts the clock of the processes of chosen services, like a machine with a wrong clock. [F12]
// Affects only `Date`; timers and `performance.now()` stay correct. CLOCK_SKEW_MINUTES is JSON: service → minutes, e.g. {"gateway": 10}.
const service = /services[\\/](\w+)[\\/]dist[\\/]main\.js$/.exec(process.argv[1] ?? '')?.[1]
const skewMs = (JSON.parse(process.env.CLOCK_SKEW_MINUTES ?? '{}')[service] ?? 0) * 60_000

if (skewMs !== 0) {
  const RealDate = Date
  const now = () => RealDate.now() + skewMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === globalThis.Date ? target : newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
