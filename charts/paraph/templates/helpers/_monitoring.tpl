{{- /* What alerts and dashboards share. [H24] */ -}}

{{- /* The base URL of the runbooks: `alerts.runbookBaseUrl`, or the repository of a released chart at its version. Empty in a checkout, whose Chart.yaml has no `home`. Takes the root. */ -}}
{{- define "paraph.runbooks" -}}
{{- $released := ternary (printf "%s/blob/v%s/docs/runbooks" .Chart.Home .Chart.Version) "" (ne .Chart.Home "") -}}
{{- default $released .Values.alerts.runbookBaseUrl -}}
{{- end -}}

{{- /* The names of all alerts, as YAML. Takes the root. */ -}}
{{- define "paraph.alertNames" -}}
{{- $names := list -}}
{{- range $path, $_ := .Files.Glob "alerts/*.yaml" -}}
{{- range (fromYaml ($.Files.Get $path)).groups -}}
{{- range .rules -}}
{{- with .alert -}}
{{- $names = append $names . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- uniq $names | toYaml -}}
{{- end -}}
