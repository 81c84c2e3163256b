{{- /* The trial's own pods use the helpers of the chart paraph with its context, `.Subcharts.paraph`. */ -}}

{{- /* The name of a component, of this chart or of the chart paraph. Takes {root, component}. */ -}}
{{- define "paraph-trial.name" -}}
{{- include "paraph.componentName" (dict "root" .root.Subcharts.paraph "component" .component) -}}
{{- end -}}

{{- /* The mailbox of the account's owner. */ -}}
{{- define "paraph-trial.owner" -}}
owner@example.test
{{- end -}}

{{- /* The Secret of the sandbox key, with its only key SANDBOX_KEY. */ -}}
{{- define "paraph-trial.keySecret" -}}
paraph-sandbox-key
{{- end -}}
