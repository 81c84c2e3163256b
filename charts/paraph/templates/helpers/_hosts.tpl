{{- /* The public host names of the gateway, as YAML. Takes the root. */ -}}
{{- define "paraph.hosts" -}}
{{- $hosts := list (urlParse .Values.publicUrl).hostname -}}
{{- with .Values.shareUrl -}}
{{- $hosts = append $hosts (urlParse .).hostname -}}
{{- end -}}
{{- $hosts | uniq | toYaml -}}
{{- end -}}
