{{- /* Rules of network policies. `paraph.edges` defines callers and callees; the values define external addresses. [H20, D44] */ -}}

{{- /* The pods of a component, as a peer. Takes {root, component}. */ -}}
{{- define "paraph.peer" -}}
podSelector:
  matchLabels:
    {{- include "paraph.selector" . | nindent 4 }}
{{- end -}}

{{- /* TCP ports, as YAML. Takes a list. */ -}}
{{- define "paraph.tcp" -}}
{{- range . }}
- port: {{ . }}
  protocol: TCP
{{- end }}
{{- end -}}

{{- /* An egress rule to external addresses; `any` allows any address on these ports. Takes {to, ports}. */ -}}
{{- define "paraph.egressTo" -}}
- ports:
    {{- include "paraph.tcp" .ports | trim | nindent 4 }}
  {{- if kindIs "slice" .to }}
  to:
    {{- toYaml .to | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* The egress rule to the brokers, by default on the ports of their addresses. Takes the root. */ -}}
{{- define "paraph.egressToKafka" -}}
{{- $ports := list -}}
{{- range splitList "," .Values.kafka.brokers -}}
{{- $ports = append $ports (trim . | splitList ":" | last | int) -}}
{{- end -}}
{{- include "paraph.egressTo" (merge (dict) .Values.networkPolicy.kafka (dict "ports" (uniq $ports))) -}}
{{- end -}}

{{- /* The egress rule to the collector, by default on the port of the endpoint. Takes the root. */ -}}
{{- define "paraph.egressToCollector" -}}
{{- with .Values.telemetry.otlp -}}
{{- $port := (urlParse .endpoint).host | splitList ":" | last | int -}}
{{- if not $port -}}
{{- $port = or (hasPrefix "https:" .endpoint) (eq .protocol "grpc") | ternary 443 80 -}}
{{- end -}}
{{- include "paraph.egressTo" (merge (dict) $.Values.networkPolicy.otlp (dict "ports" (list $port))) -}}
{{- end -}}
{{- end -}}

{{- /* Text if the gateway has an OpenID Connect provider. Takes its settings. */ -}}
{{- define "paraph.hasIssuer" -}}
{{- if or (index . "OIDC_OWNERS_ISSUER") (index . "OIDC_OPERATORS_ISSUER") }}yes{{ end -}}
{{- end -}}

{{- /* The values whose egress rule allows any address, as YAML. Takes the root. */ -}}
{{- define "paraph.openEgress" -}}
{{- $open := list -}}
{{- range $component := include "paraph.components" . | fromYamlArray -}}
{{- if kindIs "string" (include "paraph.values" (dict "root" $ "component" $component) | fromYaml).postgres.to -}}
{{- $open = append $open (printf "components.%s.postgres.to" $component) -}}
{{- end -}}
{{- end -}}
{{- $used := dict "issuers" (include "paraph.hasIssuer" .Values.components.gateway.settings) "kafka" (eq .Values.eventBus "kafka") "smtp" true "objectStore" (hasKey (.Values.components.signing.secretOverrides | default dict) "OBJECT_STORE_URL") "stripe" (eq (dig "settings" "BILLING" "" .Values.components.gateway) "stripe") "otlp" (ne .Values.telemetry.otlp.endpoint "") -}}
{{- range $name := list "issuers" "kafka" "smtp" "objectStore" "stripe" "otlp" -}}
{{- if and (index $used $name) (kindIs "string" (dig $name "to" "any" $.Values.networkPolicy)) -}}
{{- $open = append $open (printf "networkPolicy.%s.to" $name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $open -}}
{{- end -}}

{{- /* The egress rule to the DNS server. Takes the root. */ -}}
{{- define "paraph.egressToDns" -}}
{{- with .Values.networkPolicy.dns -}}
- ports:
    - port: {{ .port }}
      protocol: UDP
    - port: {{ .port }}
      protocol: TCP
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Egress rules to the databases of all components, without duplicates. Takes the root. */ -}}
{{- define "paraph.egressToDatabases" -}}
{{- $ways := list -}}
{{- range $component := include "paraph.components" . | fromYamlArray -}}
{{- $ways = append $ways (include "paraph.egressTo" (include "paraph.values" (dict "root" $ "component" $component) | fromYaml).postgres) -}}
{{- end -}}
{{- $ways | uniq | join "\n" -}}
{{- end -}}

{{- /* Ingress rules of a component. Takes {root, component}. */ -}}
{{- define "paraph.ingressRules" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $callers := index (include "paraph.edges" .root | fromYaml) .component }}
{{- if eq .component "gateway" }}
- ports:
    - port: 8080
      protocol: TCP
  {{- with $policy.ingressFrom }}
  from:
    {{- toYaml . | nindent 4 }}
    - {{- include "paraph.peer" (dict "root" $.root "component" "test") | nindent 6 }}
  {{- end }}
{{- else }}
- ports:
    - port: 8080
      protocol: TCP
  from:
    {{- range $callers }}
    - {{- include "paraph.peer" (dict "root" $.root "component" .) | nindent 6 }}
    {{- end }}
# The gateway reads readiness and the contract service's part of the OpenAPI document; `helm test` reads readiness. [D45]
- ports:
    - port: 8081
      protocol: TCP
  from:
    - {{- include "paraph.peer" (dict "root" .root "component" "gateway") | nindent 6 }}
    - {{- include "paraph.peer" (dict "root" .root "component" "test") | nindent 6 }}
{{- end }}
{{- with concat (.root.Values.telemetry.metrics.enabled | ternary $policy.prometheusFrom list) $policy.operatorFrom }}
- ports:
    - port: 8081
      protocol: TCP
  from:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end -}}

{{- /* Egress rules of a component. Takes {root, component, values}. */ -}}
{{- define "paraph.egressRules" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{ include "paraph.egressToDns" .root }}
{{ include "paraph.egressTo" .values.postgres }}
{{- if eq .root.Values.eventBus "kafka" }}
{{ include "paraph.egressToKafka" .root }}
{{- end }}
{{- if eq .component "notification" }}
{{ include "paraph.egressTo" $policy.smtp }}
{{- with $policy.webhooks.to }}
{{ include "paraph.egressTo" (dict "to" . "ports" (list 443)) }}
{{- end }}
{{- end }}
{{- if and (eq .component "gateway") (include "paraph.hasIssuer" .values.settings) }}
{{ include "paraph.egressTo" $policy.issuers }}
{{- end }}
{{- if and (eq .component "gateway") (eq (.values.settings.BILLING | default "") "stripe") }}
{{ include "paraph.egressTo" (merge (dict) ($policy.stripe | default dict) (dict "to" "any" "ports" (list 443))) }}
{{- end }}
{{- if and (eq .component "signing") (hasKey .values.secretOverrides "OBJECT_STORE_URL") }}
{{ include "paraph.egressTo" $policy.objectStore }}
{{- end }}
{{- if .root.Values.telemetry.otlp.endpoint }}
{{ include "paraph.egressToCollector" .root }}
{{- end }}
{{- range $callee, $callers := include "paraph.edges" .root | fromYaml }}
{{- if has $.component $callers }}
- ports:
    {{- include "paraph.tcp" (eq $.component "gateway" | ternary (list 8080 8081) (list 8080)) | trim | nindent 4 }}
  to:
    - {{- include "paraph.peer" (dict "root" $.root "component" $callee) | nindent 6 }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* A policy for pods without incoming connections. Takes {root, component, annotations, egress: YAML}. */ -}}
{{- define "paraph.egressOnlyPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "paraph.componentName" . }}
  labels:
    {{- include "paraph.componentLabels" . | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    matchLabels:
      {{- include "paraph.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "paraph.egressToDns" .root | nindent 4 }}
    {{- .egress | nindent 4 }}
{{- end -}}
