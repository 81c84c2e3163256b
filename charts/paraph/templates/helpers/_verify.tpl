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

{{- /* Contains no bus settings: the verifier does not connect to the brokers. Takes the root. */ -}}
{{- define "paraph.verifyEnvironment" -}}
{{- include "paraph.transport" . }}
{{- include "paraph.fromSecrets" (dict "root" . "secrets" .Values.verify.secrets "existingSecret" .Values.verify.existingSecret) }}
{{- if .Values.telemetry.otlp.metrics }}
{{- include "paraph.telemetryExport" (dict "root" . "metrics" "otlp") }}
{{- include "paraph.telemetryResource" (dict "root" . "service" "paraph") }}
{{- end }}
{{- end -}}
