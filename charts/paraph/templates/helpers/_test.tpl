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
{{- range $component := without (include "paraph.components" . | fromYamlArray) "gateway" }}
- name: {{ upper $component }}_INTERNAL_URL
  value: http://{{ include "paraph.componentName" (dict "root" $ "component" $component) }}:8081
{{- end }}
{{- end -}}

{{- /* The values of the test's pod: `defaults`, without what the operator adds for the services. Takes the root; returns YAML. */ -}}
{{- define "paraph.testValues" -}}
{{- $own := dict "resources" (dict "requests" (dict "cpu" "50m") "limits" (dict "memory" "128Mi")) "heapPercent" 75 "priorityClassName" "" "runtimeClassName" "" -}}
{{- range $name := list "extraEnv" "envFrom" "initContainers" -}}
{{- $_ := set $own $name list -}}
{{- end -}}
{{- $_ := set $own "extraVolumes" (list (dict "name" "test" "configMap" (dict "name" (include "paraph.componentName" (dict "root" . "component" "test"))))) -}}
{{- $_ := set $own "extraVolumeMounts" (list (dict "name" "test" "mountPath" "/test" "readOnly" true)) -}}
{{- include "paraph.overDefaults" (dict "root" . "own" (list $own)) -}}
{{- end -}}

{{- /* The egress rules of the test: to the gateway, and to the readiness of the services behind it. Takes the root. */ -}}
{{- define "paraph.egressOfTest" -}}
{{- range $component := include "paraph.components" . | fromYamlArray }}
- ports:
    - port: {{ eq $component "gateway" | ternary 8080 8081 }}
      protocol: TCP
  to:
    - {{- include "paraph.peer" (dict "root" $ "component" $component) | nindent 6 }}
{{- end }}
{{- end -}}
