{{- /* Work that ends: Jobs as hooks or plain, and the pod that all of them have. [H15] */ -}}

{{- /* Annotations of what a hook needs before it, or is itself. Empty without hooks. Takes {root, weight}. */ -}}
{{- define "paraph.hook" -}}
{{- if .root.Values.migrations.useHelmHooks -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
{{- end -}}

{{- /* Of hooks the name alone, or with the revision: a Job cannot be changed. Takes {root, name}. */ -}}
{{- define "paraph.jobName" -}}
{{ include "paraph.fullname" .root }}-{{ .name }}
{{- if not .root.Values.migrations.useHelmHooks }}-r{{ .root.Release.Revision }}{{ end }}
{{- end -}}

{{- /* Spec of a pod that ends. Takes {root, component, resources, arguments: YAML, environment: YAML}. */ -}}
{{- define "paraph.endingPod" -}}
{{ include "paraph.podBasics" . }}
restartPolicy: Never
containers:
  - name: {{ .component }}
    {{- include "paraph.containerBasics" . | nindent 4 }}
    args:
      {{- .arguments | nindent 6 }}
    env:
      {{- include "paraph.nodeEnvironment" (dict "root" .root "memory" .resources.memory "heapPercent" 75) | nindent 6 }}
      {{- .environment | nindent 6 }}
    {{- include "paraph.resources" .resources | nindent 4 }}
    volumeMounts:
      {{- include "paraph.volumeMounts" . | nindent 6 }}
volumes:
  {{- include "paraph.volumes" . | nindent 2 }}
{{- end -}}

{{- /* A Job before an install or upgrade. Takes what paraph.endingPod takes, and {name, weight}. */ -}}
{{- define "paraph.job" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "paraph.jobName" . }}
  labels:
    {{- include "paraph.componentLabels" . | nindent 4 }}
  {{- $annotations := merge (include "paraph.hook" . | fromYaml) .root.Values.migrations.annotations }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  backoffLimit: {{ .root.Values.migrations.backoffLimit }}
  activeDeadlineSeconds: {{ .root.Values.migrations.activeDeadlineSeconds }}
  {{- if not .root.Values.migrations.useHelmHooks }}
  ttlSecondsAfterFinished: {{ .root.Values.migrations.ttlSecondsAfterFinished }}
  {{- end }}
  template:
    metadata:
      labels:
        {{- include "paraph.componentLabels" . | nindent 8 }}
    spec:
      {{- include "paraph.endingPod" . | nindent 6 }}
{{- end -}}
