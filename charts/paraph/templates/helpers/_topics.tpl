{{- /* Environment of `paraph topics apply`. Takes {root, component, values}. */ -}}
{{- define "paraph.topicsEnvironment" -}}
{{ include "paraph.bus" .root }}
{{- include "paraph.transport" .root }}
{{- with .root.Values.kafka.topics }}
- name: KAFKA_TOPIC_PARTITIONS
  value: {{ .partitions | quote }}
- name: KAFKA_TOPIC_REPLICAS
  value: {{ .replicas | quote }}
- name: KAFKA_TOPIC_IN_SYNC_REPLICAS
  value: {{ .inSyncReplicas | quote }}
- name: KAFKA_TOPIC_RETENTION_DAYS
  value: {{ .retentionDays | quote }}
{{- end }}
{{- include "paraph.fromSecrets" . }}
{{- end -}}
