{{- /* Arguments and environment of `paraph verify invariants`. The command exports its findings only through OTLP. [I1-I14] */ -}}

{{- /* Takes the root. */ -}}
{{- define "paraph.verifyArguments" -}}
{{- if .Values.telemetry.otlp.metrics }}
- --import=@paraph/telemetry/register
{{- end }}
- tools/paraph/paraph.mjs
- verify
- invariants
- --since
- {{ .Values.verify.since }}
{{- end -}}

{{- /* Contains no bus settings: the verifier does not connect to the brokers. Takes {root, component, values}. */ -}}
{{- define "paraph.verifyEnvironment" -}}
{{- include "paraph.transport" .root }}
{{- include "paraph.fromSecrets" . }}
{{- if .root.Values.telemetry.otlp.metrics }}
{{- include "paraph.telemetryExport" (merge (dict "metrics" "otlp") .) }}
{{- include "paraph.telemetryResource" (dict "root" .root "service" "paraph") }}
{{- end }}
{{- end -}}
