{{- /* A service account without permissions: no component calls the Kubernetes API. [H19] Takes {root, component, annotations}. */ -}}
{{- define "paraph.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "paraph.componentName" . }}
  labels:
    {{- include "paraph.componentLabels" . | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
