{{- /* Jobs, as Helm hooks or plain, and the pod that all Jobs share. [H15] */ -}}

{{- /* Annotations of a hook and of the objects that the hook needs. Empty without hooks. Takes {root, weight}. */ -}}
{{- define "paraph.hook" -}}
{{- if .root.Values.migrations.useHelmHooks -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
{{- end -}}

{{- /* The name of a Job. A plain Job carries the revision, because a Job is immutable. Takes {root, name}. */ -}}
{{- define "paraph.jobName" -}}
{{ include "paraph.fullname" .root }}-{{ .name }}
{{- if not .root.Values.migrations.useHelmHooks }}-r{{ .root.Release.Revision }}{{ end }}
{{- end -}}

{{- /* Pod spec of a Job. Takes {root, component, resources, arguments: YAML, environment: YAML}. */ -}}
{{- define "paraph.jobPod" -}}
{{ include "paraph.podBasics" . }}
restartPolicy: Never
containers:
  - name: {{ .component }}
    {{- include "paraph.containerBasics" . | nindent 4 }}
    args:
      {{- .arguments | nindent 6 }}
    env:
      {{- include "paraph.nodeEnvironment" (dict "root" .root "memory" .resources.memory "heapPercent" 75) | nindent 6 }}
      {{- include "paraph.withFiles" . | nindent 6 }}
    {{- include "paraph.resources" .resources | nindent 4 }}
    volumeMounts:
      {{- include "paraph.volumeMounts" . | nindent 6 }}
volumes:
  {{- include "paraph.volumes" . | nindent 2 }}
{{- end -}}

{{- /* A Job that runs before an install or upgrade. Takes the parameters of paraph.jobPod, and {name, weight}. */ -}}
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
      {{- include "paraph.jobPod" . | nindent 6 }}
{{- end -}}
