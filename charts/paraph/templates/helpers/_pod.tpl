{{- /* Parts that every pod of the chart shares: image, permissions, memory and the one writable folder. [H14, H18, H19, H22, H29] */ -}}

{{- define "paraph.image" -}}
{{- with .Values.image -}}
{{ .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- /* Pod settings. Service links are off: they set variables that begin with PARAPH_, which the command line would read. Takes {root, component, account: the service account, if it is not the component's own}. */ -}}
{{- define "paraph.podBasics" -}}
serviceAccountName: {{ .account | default (include "paraph.componentName" .) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- /* Container settings. The image's entry point is node, which runs as process 1. Takes {root}. */ -}}
{{- define "paraph.containerBasics" -}}
image: {{ include "paraph.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- /* The memory request equals the limit; CPU has a request and no limit. Takes {cpu, memory}. */ -}}
{{- define "paraph.resources" -}}
resources:
  requests:
    cpu: {{ .cpu | quote }}
    memory: {{ .memory }}
  limits:
    memory: {{ .memory }}
{{- end -}}

{{- /* Environment variables that Node itself reads. Takes {root, memory, heapPercent}. */ -}}
{{- define "paraph.nodeEnvironment" -}}
{{- $mib := trimSuffix "Mi" .memory | int -}}
{{- if hasSuffix "Gi" .memory -}}
{{- $mib = mul 1024 (trimSuffix "Gi" .memory | int) -}}
{{- end -}}
- name: NODE_ENV
  value: production
- name: NODE_OPTIONS
  value: --max-old-space-size={{ div (mul $mib (int .heapPercent)) 100 }}
{{- if .root.Values.caBundle.existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/paraph/ca/{{ .root.Values.caBundle.key }}
{{- end }}
{{- end -}}

{{- /* Takes {root, environment: YAML}. */ -}}
{{- define "paraph.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.caBundle.existingConfigMap }}
- name: ca
  mountPath: /etc/paraph/ca
  readOnly: true
{{- end }}
{{- with include "paraph.secretMount" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- /* Takes {root, environment: YAML}. */ -}}
{{- define "paraph.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 128Mi
{{- with .root.Values.caBundle }}
{{- if .existingConfigMap }}
- name: ca
  configMap:
    name: {{ .existingConfigMap }}
{{- end }}
{{- end }}
{{- with include "paraph.secretVolume" . }}
{{ . }}
{{- end }}
{{- end -}}
