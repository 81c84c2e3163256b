{{- /* The components: which component may call which, and the values of each component and Job. [D44] */ -}}

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

{{- /* The components whose work is only that of the bus: more replicas than partitions have nothing to do. Signing also seals, from a queue that any number of replicas share. */ -}}
{{- define "paraph.consumers" -}}
[notification]
{{- end -}}

{{- /* Writes the values of `over` into `base`, value by value inside blocks, also false and 0. Takes {base, over}; renders nothing. */ -}}
{{- define "paraph.overlay" -}}
{{- range $name, $value := .over -}}
{{- if and (kindIs "map" $value) (kindIs "map" (index $.base $name)) -}}
{{- include "paraph.overlay" (dict "base" (index $.base $name) "over" $value) -}}
{{- else -}}
{{- $_ := set $.base $name $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* `defaults` with the values of each item of `own` written over them. Takes {root, own: a list of maps}; returns YAML. */ -}}
{{- define "paraph.overDefaults" -}}
{{- $values := deepCopy .root.Values.defaults -}}
{{- range .own -}}
{{- include "paraph.overlay" (dict "base" $values "over" (deepCopy .)) -}}
{{- end -}}
{{- toYaml $values -}}
{{- end -}}

{{- /* A component's values. Takes {root, component}; returns YAML. */ -}}
{{- define "paraph.values" -}}
{{- include "paraph.overDefaults" (dict "root" .root "own" (list (index .root.Values.components .component))) -}}
{{- end -}}

{{- /* The largest number of pods of a component. Takes its values. */ -}}
{{- define "paraph.replicasMax" -}}
{{- .autoscaling.enabled | ternary .autoscaling.maxReplicas .replicaCount -}}
{{- end -}}

{{- /* The smallest number of pods of a component. Takes its values. */ -}}
{{- define "paraph.replicasMin" -}}
{{- .autoscaling.enabled | ternary .autoscaling.minReplicas .replicaCount -}}
{{- end -}}
