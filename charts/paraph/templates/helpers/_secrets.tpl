{{- /* Settings from existing Secrets, by name and key, never by value. [H17] */ -}}

{{- /* One variable. Takes {name, from: {existingSecret, key}, existingSecret: the default for `from`}. */ -}}
{{- define "paraph.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .from.existingSecret | default .existingSecret | required (printf "%s has no Secret: set existingSecret." .name) }}
      key: {{ .from.key }}
{{- end -}}

{{- /* Every variable of `secrets` that has a key and that the chosen bus uses. Takes {root, secrets, existingSecret}. */ -}}
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
