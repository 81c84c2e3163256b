{{- /* Objects that exist only while `helm test` runs. [H26] */ -}}

{{- /* Takes {weight}. */ -}}
{{- define "paraph.testHook" -}}
helm.sh/hook: test
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{- /* Environment of the test program. Takes the root. */ -}}
{{- define "paraph.testEnvironment" -}}
- name: GATEWAY_URL
  value: http://{{ include "paraph.componentName" (dict "root" . "component" "gateway") }}:8080
{{- with .Values.helmTest.apiKey }}
{{- if .existingSecret }}
{{ include "paraph.fromSecret" (dict "name" "API_KEY" "from" .) }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The egress rule to the gateway. Takes the root. */ -}}
{{- define "paraph.egressToGateway" -}}
- ports:
    - port: 8080
      protocol: TCP
  to:
    - {{- include "paraph.peer" (dict "root" . "component" "gateway") | nindent 6 }}
{{- end -}}
