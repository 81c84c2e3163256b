// Limits the log lines of one kind: in an outage each of thousands of calls fails for the same reason. [F47]

/** The shortest time between two lines of a kind. */
const EVERY_MS = 1_000

interface Kind {
  /** Lines since the last written one. */
  suppressed: number
  /** True when the next line is written. */
  isOpen: boolean
  report: (suppressed: number) => void
  timer: NodeJS.Timeout
}

/** At most one line per kind and second. Kinds without a line for a second are forgotten. */
export function createLogLimit(everyMs = EVERY_MS) {
  const kinds = new Map<string, Kind>()

  function begin(name: string, report: Kind['report']): void {
    const timer = setTimeout(() => endInterval(name, kind), everyMs).unref()
    const kind: Kind = { suppressed: 0, isOpen: false, report, timer }
    kinds.set(name, kind)
  }

  function endInterval(name: string, kind: Kind): void {
    if (kind.suppressed > 0 && !kind.isOpen) {
      kind.isOpen = true
      kind.timer.refresh()
      return
    }
    kinds.delete(name)
    if (kind.suppressed > 0) kind.report(kind.suppressed)
  }

  return {
    /**
     * Decides whether a line is written.
     * @param report writes a line with the number of suppressed lines, if no further line of the kind follows
     * @returns the number of lines of the kind that were suppressed before this one; undefined if this line is suppressed
     */
    admit(name: string, report: (suppressed: number) => void): number | undefined {
      const kind = kinds.get(name)
      if (kind && !kind.isOpen) {
        kind.suppressed += 1
        return undefined
      }
      clearTimeout(kind?.timer)
      begin(name, report)
      return kind?.suppressed ?? 0
    },
    /** Reports all suppressed lines now, because the process ends. */
    flush(): void {
      for (const { suppressed, report } of kinds.values()) if (suppressed > 0) report(suppressed)
      kinds.clear()
    },
  }
}
