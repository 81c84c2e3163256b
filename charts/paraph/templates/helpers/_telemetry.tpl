{{- /* OpenTelemetry: the argument that loads it, and its environment. Empty if telemetry is disabled. [H31, D51] */ -}}

{{- /* The argument of node that loads OpenTelemetry, or nothing. Takes the root. */ -}}
{{- define "paraph.telemetryArgument" -}}
{{- if or .Values.telemetry.metrics.enabled .Values.telemetry.otlp.endpoint -}}
- --import=@paraph/telemetry/register
{{- end -}}
{{- end -}}

{{- /* The exporters. Takes {root, component, values, metrics: names of the metric exporters, separated by commas}. */ -}}
{{- define "paraph.telemetryExport" -}}
{{- with .root.Values.telemetry }}
- name: OTEL_METRICS_EXPORTER
  value: {{ $.metrics | default "none" }}
{{- if .otlp.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .otlp.endpoint | quote }}
- name: OTEL_EXPORTER_OTLP_PROTOCOL
  value: {{ .otlp.protocol }}
{{- if hasKey $.values.secretOverrides "OTEL_EXPORTER_OTLP_HEADERS" }}
{{ include "paraph.fromSecret" (dict "name" "OTEL_EXPORTER_OTLP_HEADERS" "component" $.component "values" $.values) }}
{{- end }}
- name: OTEL_TRACES_SAMPLER
  value: {{ .sampler.name }}
{{- include "paraph.setting" (dict "name" "OTEL_TRACES_SAMPLER_ARG" "value" .sampler.argument) }}
{{- else }}
- name: OTEL_TRACES_EXPORTER
  value: none
{{- end }}
{{- end }}
{{- end -}}

{{- /* The resource: the service name, by default from the pod's label, and the pod's location from the downward API. Takes {root, service}. */ -}}
{{- define "paraph.telemetryResource" -}}
{{- $fields := dict "K8S_NODE_NAME" "spec.nodeName" "K8S_POD_NAME" "metadata.name" "K8S_POD_UID" "metadata.uid" }}
{{- if .service }}
- name: OTEL_SERVICE_NAME
  value: {{ .service }}
{{- else }}
{{- $_ := set $fields "OTEL_SERVICE_NAME" "metadata.labels['app.kubernetes.io/component']" }}
{{- end }}
{{- range $name, $path := $fields }}
- name: {{ $name }}
  valueFrom:
    fieldRef:
      fieldPath: {{ $path }}
{{- end }}
{{- $attributes := list "service.namespace=paraph" (printf "service.version=%s" .root.Chart.AppVersion) (printf "k8s.namespace.name=%s" .root.Release.Namespace) "k8s.node.name=$(K8S_NODE_NAME)" "k8s.pod.name=$(K8S_POD_NAME)" "k8s.pod.uid=$(K8S_POD_UID)" }}
{{- range $name, $value := .root.Values.telemetry.resourceAttributes }}
{{- $attributes = append $attributes (printf "%s=%s" $name $value) }}
{{- end }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: {{ join "," $attributes | quote }}
- name: OTEL_NODE_EXPERIMENTAL_SDK_METRICS
  value: 'true'
{{- end -}}

{{- /* The whole telemetry environment of a component. Takes {root, component, values}. */ -}}
{{- define "paraph.telemetryEnvironment" -}}
{{- with .root.Values.telemetry }}
{{- if or .metrics.enabled .otlp.endpoint }}
{{- $exporters := concat (.otlp.metrics | ternary (list "otlp") list) (.metrics.enabled | ternary (list "prometheus") list) }}
{{- include "paraph.telemetryExport" (merge (dict "metrics" (join "," $exporters)) $) }}
{{- include "paraph.telemetryResource" $ }}
{{- end }}
{{- end }}
{{- end -}}
