{{- /* Which components there are, who may call whom, and what each one's values are. [D44] */ -}}

{{- /* Callee → callers on its public port: EDGES of libs/protocol/src/caller.ts, which a test compares. Addresses and network policies follow. */ -}}
{{- define "paraph.edges" -}}
gateway: []
contract: [gateway, signing, notification]
signing: [gateway, notification]
notification: [gateway, signing]
{{- end -}}

{{- /* All of them, as YAML. Takes the root. */ -}}
{{- define "paraph.components" -}}
{{- include "paraph.edges" . | fromYaml | keys | sortAlpha | toYaml -}}
{{- end -}}

{{- /* Those whose replicas share the partitions of the bus. */ -}}
{{- define "paraph.consumers" -}}
[signing, notification]
{{- end -}}

{{- /* A component's values: its own over `defaults`, one by one also inside a block. Takes {root, component}; gives YAML. */ -}}
{{- define "paraph.values" -}}
{{- $values := deepCopy .root.Values.defaults -}}
{{- range $name, $own := index .root.Values.components .component -}}
{{- if and (kindIs "map" $own) (hasKey $values $name) -}}
{{- range $inner, $value := $own -}}
{{- $_ := set (index $values $name) $inner $value -}}
{{- end -}}
{{- else -}}
{{- $_ := set $values $name $own -}}
{{- end -}}
{{- end -}}
{{- toYaml $values -}}
{{- end -}}

{{- /* The most pods that a component can have. Takes its values. */ -}}
{{- define "paraph.replicasMax" -}}
{{- .autoscaling.enabled | ternary .autoscaling.maxReplicas .replicas -}}
{{- end -}}

{{- /* The fewest. Takes its values. */ -}}
{{- define "paraph.replicasMin" -}}
{{- .autoscaling.enabled | ternary .autoscaling.minReplicas .replicas -}}
{{- end -}}
