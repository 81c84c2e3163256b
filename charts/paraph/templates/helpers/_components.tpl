{{- /* The components: which component may call which, and the values of each component. [D44] */ -}}

{{- /* Callee → callers on its public port: EDGES of libs/protocol/src/services.ts; a test compares both. Addresses and network policies derive from this map. */ -}}
{{- define "paraph.edges" -}}
gateway: []
contract: [gateway, signing, notification]
signing: [gateway, notification]
notification: [gateway, signing]
{{- end -}}

{{- /* The names of all components, as YAML. Takes the root. */ -}}
{{- define "paraph.components" -}}
{{- include "paraph.edges" . | fromYaml | keys | sortAlpha | toYaml -}}
{{- end -}}

{{- /* The components whose replicas share the partitions of the bus. */ -}}
{{- define "paraph.consumers" -}}
[signing, notification]
{{- end -}}

{{- /* A component's values: its own values override `defaults`, also value by value inside a block. Takes {root, component}; returns YAML. */ -}}
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

{{- /* The largest number of pods of a component. Takes its values. */ -}}
{{- define "paraph.replicasMax" -}}
{{- .autoscaling.enabled | ternary .autoscaling.maxReplicas .replicas -}}
{{- end -}}

{{- /* The smallest number of pods of a component. Takes its values. */ -}}
{{- define "paraph.replicasMin" -}}
{{- .autoscaling.enabled | ternary .autoscaling.minReplicas .replicas -}}
{{- end -}}
