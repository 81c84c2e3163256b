// The rules of the chart, one sentence each: the table in docs/internal/chart-rules.md. A test cites the number of a rule in its title.
export interface Rule {
  text: string
  /** What the chart omits of the rule or does differently. */
  note?: string
}

export const RULES: Readonly<Record<string, Rule>> = {
  H1: { text: 'The schema closes every level of the values and refuses an unknown or misspelt name.' },
  H2: { text: 'The chart refuses a removed value; charts/paraph/UPGRADING.md names its replacement.' },
  H3: { text: 'Every object has the recommended labels; selectors use name, instance and component only.' },
  H4: { text: 'The chart sets no replica count where an autoscaler sets it.' },
  H5: {
    text: 'Each component with several pods has a disruption budget, and unhealthy pods do not block a node drain.',
  },
  H6: { text: 'The startup probe allows a slow start and checks only that the process has booted.' },
  H7: { text: 'The liveness probe never queries Postgres, Kafka or SMTP.' },
  H8: { text: 'Readiness is local state; the gateway stays ready while a service behind it is unavailable.' },
  H9: { text: 'Liveness of a consumer depends on progress, not on its heartbeat.' },
  H10: {
    text: 'The readiness of a consumer does not depend on a broker, so that a broker cannot block a roll-out.',
    note: 'Paraph’s consumers also serve requests, so H8 applies to them.',
  },
  H11: { text: 'Relay, sweeps and workers are alive while their loops turn, whatever the size of the backlog.' },
  H12: { text: 'A terminating pod keeps serving for some seconds through the `sleep` action of Kubernetes.' },
  H13: { text: 'A stop has an order and enough time for it: pre-stop sleep, linger, drain and 25 seconds.' },
  H14: { text: 'Process 1 is node; the image has no shell and no npm.' },
  H15: {
    text: 'Migrations and topics are Jobs that run before each install and upgrade, as Helm hooks or as plain Jobs; the name of a plain Job changes with its pod template.',
  },
  H16: { text: 'The previous version runs on the new schema, so that a rollback does not change the database.' },
  H17: {
    text: 'Secrets are referenced by name and key, never by value: the key of a setting is its name, unless `secretOverrides` says otherwise. `secretsVersion` replaces the pods after a change.',
    note: 'The chart renders no ExternalSecret: see `examples/external-secrets`.',
  },
  H18: { text: 'Every pod meets the restricted Pod Security Standard, with a read-only root file system.' },
  H19: { text: 'Each component has a service account without a token and without permissions.' },
  H20: {
    text: 'Network policies deny everything except the edges of D44, the databases, the bus, the collector, DNS, and SMTP for notification.',
  },
  H21: { text: 'Pods spread over nodes and zones where possible; scheduling never waits for it.' },
  H22: {
    text: 'The memory request equals the memory limit, CPU has no limit, and the heap leaves room for other memory.',
  },
  H23: {
    text: 'Autoscaling uses CPU, never scales to zero, scales down slowly, and never exceeds the partitions where pods only consume.',
    note: 'The chart renders no KEDA objects: see `examples/keda`.',
  },
  H24: { text: 'The chart contains a monitor, dashboards and alerts; each alert has a runbook.' },
  H25: { text: 'Alerts use the burn rate of the error budget, with a minimum of traffic.' },
  H26: {
    text: '`helm test` needs no key: it checks a wrong key, version 1, the OpenAPI document, an unknown share link, and the readiness of each service behind the gateway. It creates no contract.',
  },
  H27: {
    text: 'Tests render and validate each values file of `charts/paraph/ci/`, and each of `examples/` with its objects, custom resources included.',
  },
  H28: { text: 'Tests compare each render with the file in `charts/paraph/golden/`.' },
  H29: { text: 'A tag, and optionally a digest, names the image; never `latest`.' },
  H30: {
    text: 'Chart.yaml has the metadata that Artifact Hub shows; every value is documented.',
    note: 'Nothing is published yet, so there is no signature and no list of images.',
  },
  H31: { text: 'OpenTelemetry’s environment variables carry name, version, location and destination.' },
  H32: { text: 'Whatever is disabled, no object refers to a missing object.' },
}
