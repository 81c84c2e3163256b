{{- /* Jobs, as Helm hooks or plain, and the pod that all Jobs share. [H15] */ -}}

{{- /* Annotations of a Job, and of the account and the policy that it needs: those of a Helm hook, and those of another tool. Takes {root, weight}; returns YAML. */ -}}
{{- define "paraph.jobAnnotations" -}}
{{- $annotations := deepCopy .root.Values.migrations.annotations -}}
{{- if .root.Values.migrations.useHelmHooks -}}
{{- $_ := set $annotations "helm.sh/hook" "pre-install,pre-upgrade" -}}
{{- $_ := set $annotations "helm.sh/hook-weight" (toString .weight) -}}
{{- $_ := set $annotations "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- end -}}
{{- toYaml $annotations -}}
{{- end -}}

{{- /* The name of a Job. The pod template of a Job is immutable, so a plain Job carries its hash: another template is another Job. Takes {root, name, template}. */ -}}
{{- define "paraph.jobName" -}}
{{- $name := printf "%s-%s" (include "paraph.fullname" .root) .name -}}
{{- if .root.Values.migrations.useHelmHooks -}}
{{ $name }}
{{- else -}}
{{ $name | trunc 52 | trimSuffix "-" }}-{{ .template | sha256sum | trunc 10 }}
{{- end -}}
{{- end -}}

{{- /* Pod spec of a Job. Takes {root, component, values, arguments: YAML, environment: YAML}. */ -}}
{{- define "paraph.jobPod" -}}
{{ include "paraph.podBasics" . }}
restartPolicy: Never
containers:
  - name: {{ .component }}
    {{- include "paraph.containerBasics" . | nindent 4 }}
    args:
      {{- .arguments | nindent 6 }}
    env:
      {{- include "paraph.nodeEnvironment" . | nindent 6 }}
      {{- include "paraph.withFiles" . | nindent 6 }}
      {{- with .values.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    volumeMounts:
      {{- include "paraph.volumeMounts" . | nindent 6 }}
volumes:
  {{- include "paraph.volumes" . | nindent 2 }}
{{- end -}}

{{- /* A Job that runs before an install or upgrade. Takes the parameters of paraph.jobPod, and {name, weight}. */ -}}
{{- define "paraph.job" -}}
{{- $template := include "paraph.jobTemplate" . -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "paraph.jobName" (dict "root" .root "name" .name "template" $template) }}
  labels:
    {{- include "paraph.componentLabels" . | nindent 4 }}
  {{- with include "paraph.jobAnnotations" . | fromYaml }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  backoffLimit: 3
  activeDeadlineSeconds: {{ .root.Values.migrations.activeDeadlineSeconds }}
  {{- if not .root.Values.migrations.useHelmHooks }}
  ttlSecondsAfterFinished: {{ .root.Values.migrations.ttlSecondsAfterFinished }}
  {{- end }}
  template:
    {{- $template | nindent 4 }}
{{- end -}}

{{- define "paraph.jobTemplate" -}}
metadata:
  labels:
    {{- include "paraph.componentLabels" . | nindent 4 }}
spec:
  {{- include "paraph.jobPod" . | nindent 2 }}
{{- end -}}
