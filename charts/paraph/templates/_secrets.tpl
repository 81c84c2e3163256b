{{- /* Settings that come from Secrets which are there already: by name and key, never by value. [H17] */ -}}

{{- /* One variable. Takes {name, from: {existingSecret, key}, existingSecret: where `from` names none}. */ -}}
{{- define "paraph.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .from.existingSecret | default .existingSecret | required (printf "No Secret is named for %s: set existingSecret." .name) }}
      key: {{ .from.key }}
{{- end -}}

{{- /* Every variable of `secrets` whose key is set and that the bus has a use for. Takes {root, secrets, existingSecret}. */ -}}
{{- define "paraph.fromSecrets" -}}
{{- $isKafka := eq .root.Values.eventBus "kafka" -}}
{{- range $name, $from := .secrets }}
{{- $isOfOtherBus := or (and (contains "BUS_DATABASE_URL" $name) $isKafka) (and (hasPrefix "KAFKA_" $name) (not $isKafka)) }}
{{- $isUnused := and (hasPrefix "KAFKA_SASL_" $name) (not $.root.Values.kafka.saslMechanism) }}
{{- if and $from.key (not (or $isOfOtherBus $isUnused)) }}
{{ include "paraph.fromSecret" (dict "name" $name "from" $from "existingSecret" $.existingSecret) }}
{{- end }}
{{- end }}
{{- end -}}
