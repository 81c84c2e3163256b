{{- /* The environment of a component: exactly the settings that its config.ts reads. A test compares both. */ -}}

{{- /* One variable; nothing if the value is empty. Takes {name, value}. */ -}}
{{- define "paraph.setting" -}}
{{- if ne (toString .value) "" }}
- name: {{ .name }}
  value: {{ .value | quote }}
{{- end }}
{{- end -}}

{{- /* The URLs of a component's callees, from the edges; the gateway also calls the internal ports. [D44, D45] Takes {root, component}. */ -}}
{{- define "paraph.addresses" -}}
{{- range $callee, $callers := include "paraph.edges" .root | fromYaml }}
{{- if has $.component $callers }}
{{- $host := include "paraph.componentName" (dict "root" $.root "component" $callee) }}
- name: {{ upper $callee }}_URL
  value: http://{{ $host }}:8080
{{- if eq $.component "gateway" }}
- name: {{ upper $callee }}_INTERNAL_URL
  value: http://{{ $host }}:8081
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* For every program that connects to a database or to the brokers. Takes the root. */ -}}
{{- define "paraph.transport" -}}
{{- if .Values.allowInsecureTransport }}
- name: ALLOW_INSECURE_TRANSPORT
  value: 'yes'
{{- end }}
{{- end -}}

{{- /* Connection settings of the bus. Takes the root. */ -}}
{{- define "paraph.bus" -}}
- name: EVENT_BUS
  value: {{ .Values.eventBus }}
{{- if eq .Values.eventBus "kafka" }}
{{- with .Values.kafka }}
- name: KAFKA_BROKERS
  value: {{ .brokers | quote }}
- name: KAFKA_TLS
  value: {{ .tls | quote }}
{{- include "paraph.setting" (dict "name" "KAFKA_SASL_MECHANISM" "value" .saslMechanism) }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* Top-level values that several services share. Takes {root, component}. */ -}}
{{- define "paraph.common" -}}
{{- $share := .root.Values.shareUrl | default .root.Values.publicUrl }}
{{- if eq .component "gateway" }}
- name: BASE_URL
  value: {{ .root.Values.publicUrl | quote }}
{{- else }}
- name: SHARE_BASE_URL
  value: {{ $share | quote }}
{{- end }}
{{- if has .component (list "signing" "notification") }}
- name: COMPLETION_EMAIL
  value: {{ .root.Values.completionEmail | quote }}
{{- end }}
{{- if has .component (list "gateway" "signing") }}
{{- include "paraph.setting" (dict "name" "OPERATOR_ADDRESS" "value" .root.Values.operatorAddress) }}
{{- include "paraph.setting" (dict "name" "STATUS_URL" "value" .root.Values.statusUrl) }}
{{- end }}
{{- end -}}

{{- /* The whole environment of a component except telemetry. Takes {root, component, values}. */ -}}
{{- define "paraph.environment" -}}
- name: PORT
  value: '8080'
- name: INTERNAL_PORT
  value: '8081'
{{- include "paraph.transport" .root }}
{{- include "paraph.common" . }}
{{- include "paraph.addresses" . }}
{{ include "paraph.bus" .root }}
{{- $settings := deepCopy .values.settings }}
{{- if and (eq .component "gateway") (not (hasKey $settings "TRUSTED_PROXY_HOPS")) }}
{{- $_ := set $settings "TRUSTED_PROXY_HOPS" (or .root.Values.ingress.enabled .root.Values.httpRoute.enabled | ternary 1 0) }}
{{- end }}
{{- range $name, $value := $settings }}
{{- include "paraph.setting" (dict "name" $name "value" $value) }}
{{- end }}
{{- include "paraph.fromSecrets" . }}
{{- end -}}
