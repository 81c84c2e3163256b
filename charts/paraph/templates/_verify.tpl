{{- /* `paraph verify invariants`: its arguments, and what it reads. What it finds goes out by OTLP, if at all. [I1-I14] */ -}}

{{- /* Takes the root. */ -}}
{{- define "paraph.verifyArguments" -}}
{{- if .Values.telemetry.otlp.metrics }}
- --import=@paraph/telemetry/register
{{- end }}
- deploy/local/paraph.mjs
- verify
- invariants
- --since
- {{ .Values.verify.since }}
{{- end -}}

{{- /* The brokers are not asked, so that the bus is not named either. Takes the root. */ -}}
{{- define "paraph.verifyEnvironment" -}}
{{- include "paraph.fromSecrets" (dict "root" . "secrets" .Values.verify.secrets "existingSecret" .Values.verify.existingSecret) }}
{{- if .Values.telemetry.otlp.metrics }}
{{- include "paraph.telemetryExport" (dict "root" . "metrics" "otlp") }}
{{- include "paraph.telemetryResource" (dict "root" . "service" "paraph") }}
{{- end }}
{{- end -}}
