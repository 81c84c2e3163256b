{{- /* Parts of the Deployments alone. */ -}}

{{- /* The annotation that replaces the pods after a change of a Secret, or an empty map. A number of a values file is a float, which prints large numbers with an exponent. [H17] Takes the root; returns YAML. */ -}}
{{- define "paraph.secretsVersion" -}}
{{- $version := kindIs "float64" .Values.secretsVersion | ternary (printf "%.0f" .Values.secretsVersion) (toString .Values.secretsVersion) -}}
{{- ternary (dict "paraph/secrets-version" $version) dict (ne $version "") | toYaml -}}
{{- end -}}

{{- /* The times of a probe. Takes {base, over}. */ -}}
{{- define "paraph.probe" -}}
{{- include "paraph.overlay" . -}}
{{- toYaml .base -}}
{{- end -}}

{{- /* A spread constraint. Without a selector of its own it selects the component, and spreads the old and the new pods of an upgrade separately. [H21] Takes {of, constraint}. */ -}}
{{- define "paraph.spread" -}}
{{- $constraint := deepCopy .constraint -}}
{{- if not (hasKey $constraint "labelSelector") -}}
{{- $_ := set $constraint "labelSelector" (dict "matchLabels" (include "paraph.selector" .of | fromYaml)) -}}
{{- $_ := set $constraint "matchLabelKeys" ($constraint.matchLabelKeys | default (list "pod-template-hash")) -}}
{{- end -}}
{{- toYaml $constraint -}}
{{- end -}}
