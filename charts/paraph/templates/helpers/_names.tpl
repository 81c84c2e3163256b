{{- /* Names and labels. [H3] */ -}}

{{- define "paraph.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* At most 40 characters: `-migrate-notification` must fit into 63. */ -}}
{{- define "paraph.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "paraph.name" . -}}
{{- contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* Labels of every object. The schema keeps `commonLabels` from repeating one of them. Takes the root. */ -}}
{{- define "paraph.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: {{ include "paraph.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: paraph
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Selector labels of a component's pods: none that an upgrade changes. Takes {root, component}. */ -}}
{{- define "paraph.selector" -}}
app.kubernetes.io/name: {{ include "paraph.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- /* Labels of every object of a component. Takes {root, component}. */ -}}
{{- define "paraph.componentLabels" -}}
{{ include "paraph.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- /* Takes {root, component}. */ -}}
{{- define "paraph.componentName" -}}
{{ include "paraph.fullname" .root }}-{{ .component }}
{{- end -}}
