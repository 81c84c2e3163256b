// The rules that the chart is built by, one sentence each: a row of the table in charts/paraph/README.md. The tests of each are found by
// what their titles cite.
export interface Rule {
  says: string
  /** What is not as the rule says, or where else it is shown. */
  note?: string
}

export const RULES: Readonly<Record<string, Rule>> = {
  H1: { says: 'A schema closes every level of the values: a name that is misspelt is refused.' },
  H2: {
    says: 'A value that was taken away is refused, with what to do.',
    note: 'None has been taken away yet; the schema refuses every name that it does not know.',
  },
  H3: { says: 'Every object has the recommended labels; pods are selected by name, instance and component alone.' },
  H4: { says: 'The chart says no number of pods where something else scales them.' },
  H5: {
    says: 'A disruption budget for each component of several pods, which pods that are broken anyway do not block.',
  },
  H6: { says: 'The startup probe is patient, and asks for nothing but a process that has booted.' },
  H7: { says: 'The liveness probe never asks Postgres, Kafka or SMTP.' },
  H8: { says: 'Readiness is local state; the gateway stays ready while a service behind it is away.' },
  H9: { says: 'A consumer is alive as long as it makes progress, not as long as its heart beats.' },
  H10: {
    says: 'The readiness of a consumer waits for no broker, so that no roll-out hangs on one.',
    note: 'Ours answer requests as well, so that H8 holds for them.',
  },
  H11: { says: 'Relay, sweeps and workers are alive as long as they go round, whatever waits.' },
  H12: { says: 'A pod goes on for some seconds after its end is known, by Kubernetes’ own sleep.' },
  H13: { says: 'A stop has an order, and enough time for it: pause, drain and ten seconds.' },
  H14: { says: 'Process 1 is node; no shell, no npm.' },
  H15: { says: 'Migrations and topics are Jobs before each install and upgrade, as hooks or plain.' },
  H16: { says: 'The version before runs on the new schema, so that a rollback needs no database.' },
  H17: {
    says: 'Secrets come by the names of Secrets and keys, never by value; a change of one replaces pods when somebody says so.',
    note: 'The chart renders no ExternalSecret: see “Secrets from elsewhere”.',
  },
  H18: { says: 'Every pod fits the restricted Pod Security Standard, with a root that cannot be written.' },
  H19: { says: 'A service account for each component, without a token and without rights.' },
  H20: {
    says: 'Everything is denied but the edges of D44, the databases, the bus, the collector, names, and mail for one.',
  },
  H21: { says: 'Pods are spread over nodes and zones, and never wait for it.' },
  H22: { says: 'Memory is request and limit at once, CPU is not limited, and the heap leaves room.' },
  H23: {
    says: 'Scaling by CPU, never to nothing, never more consumers than partitions, and down slowly.',
    note: 'The chart renders nothing of KEDA: see “Scaling by events”.',
  },
  H24: { says: 'Monitor, dashboards and alerts come with the chart; each alert has a runbook.' },
  H25: { says: 'Alerts by how fast the error budget burns, with a guard for little traffic.' },
  H26: {
    says: '`helm test` asks for a wrong key, for version 1 and, with a key, for the status; it makes no contract.',
  },
  H27: {
    says: 'Each choice of values in `ci/` is rendered and checked.',
    note: 'None for KEDA and ExternalSecret, which are not rendered.',
  },
  H28: { says: 'What is rendered is kept in `golden/` and compared.' },
  H29: { says: 'The image is named by a tag, and by a digest if wanted; never by `latest`.' },
  H30: {
    says: 'Chart.yaml says what Artifact Hub shows; every value is documented.',
    note: 'Nothing is published yet, so that there are no signature and no images to name.',
  },
  H31: { says: 'OpenTelemetry’s environment: name, version, place and where things are sent.' },
  H32: { says: 'Whatever is turned off, nothing names what is not there.' },
}
