{{- /* Parts that every pod of the chart shares: image, permissions, memory, places, the one writable folder, and what the operator adds. [H14, H18, H19, H22, H29] */ -}}

{{- define "paraph.image" -}}
{{- with .Values.image -}}
{{ .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- /* Pod settings. Service links are off: they set variables that begin with PARAPH_, which the command line would read. Takes {root, component, values, account: the service account, if it is not the component's own}. */ -}}
{{- define "paraph.podBasics" -}}
serviceAccountName: {{ .account | default (include "paraph.componentName" .) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") }}
{{- include "paraph.overlay" (dict "base" $context "over" .values.podSecurityContext) }}
securityContext:
  {{- toYaml $context | nindent 2 }}
{{- range $name := list "priorityClassName" "runtimeClassName" "nodeSelector" "tolerations" "affinity" "dnsConfig" "hostAliases" "initContainers" }}
{{- with index $.values $name }}
{{ dict $name . | toYaml }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* Container settings. The image's entry point is node, which runs as process 1. Takes {root, values}. */ -}}
{{- define "paraph.containerBasics" -}}
image: {{ include "paraph.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- $context := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) }}
{{- include "paraph.overlay" (dict "base" $context "over" .values.securityContext) }}
securityContext:
  {{- toYaml $context | nindent 2 }}
{{- with .values.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $resources := deepCopy .values.resources }}
{{- $memory := include "paraph.memory" .values }}
{{- $_ := set $resources "requests" (merge (dict) ($resources.requests | default dict) (dict "memory" $memory)) }}
resources:
  {{- toYaml $resources | nindent 2 }}
{{- end -}}

{{- /* The memory limit, which is also the request unless the values name another. [H22] Takes {resources}. */ -}}
{{- define "paraph.memory" -}}
{{- ((.resources.limits | default dict).memory) | required "resources.limits.memory is empty: set it; the size of the heap derives from it." -}}
{{- end -}}

{{- /* Environment variables that Node itself reads. Takes {root, values}. */ -}}
{{- define "paraph.nodeEnvironment" -}}
{{- $memory := include "paraph.memory" .values -}}
{{- $mib := trimSuffix "Mi" $memory | int -}}
{{- if hasSuffix "Gi" $memory -}}
{{- $mib = mul 1024 (trimSuffix "Gi" $memory | int) -}}
{{- end -}}
- name: NODE_ENV
  value: production
- name: NODE_OPTIONS
  value: --max-old-space-size={{ div (mul $mib (int .values.heapPercent)) 100 }} --max-semi-space-size=8
{{- if include "paraph.hasCaBundle" .root }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/paraph/ca/{{ .root.Values.caBundle.key }}
{{- end }}
{{- end -}}

{{- /* True or nothing. Takes the root. */ -}}
{{- define "paraph.hasCaBundle" -}}
{{- with .Values.caBundle -}}
{{- if or .existingSecret .existingConfigMap -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Takes {root, values, environment: YAML}. */ -}}
{{- define "paraph.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "paraph.hasCaBundle" .root }}
- name: ca
  mountPath: /etc/paraph/ca
  readOnly: true
{{- end }}
{{- with include "paraph.secretMount" . }}
{{ . }}
{{- end }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Takes {root, values, environment: YAML}. */ -}}
{{- define "paraph.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 128Mi
{{- with .root.Values.caBundle }}
{{- if .existingSecret }}
- name: ca
  secret:
    secretName: {{ .existingSecret }}
    items:
      - key: {{ .key }}
        path: {{ .key }}
{{- else if .existingConfigMap }}
- name: ca
  configMap:
    name: {{ .existingConfigMap }}
{{- end }}
{{- end }}
{{- with include "paraph.secretVolume" . }}
{{ . }}
{{- end }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
