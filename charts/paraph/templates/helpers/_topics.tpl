{{- /* Environment of `paraph topics apply`. Takes the root. */ -}}
{{- define "paraph.topicsEnvironment" -}}
{{ include "paraph.bus" . }}
{{- include "paraph.transport" . }}
{{- with .Values.kafka.topics }}
- name: KAFKA_TOPIC_PARTITIONS
  value: {{ .partitions | quote }}
- name: KAFKA_TOPIC_REPLICAS
  value: {{ .replicas | quote }}
- name: KAFKA_TOPIC_IN_SYNC_REPLICAS
  value: {{ .inSyncReplicas | quote }}
- name: KAFKA_TOPIC_RETENTION_DAYS
  value: {{ .retentionDays | quote }}
{{- include "paraph.fromSecrets" (dict "root" $ "secrets" .secrets "existingSecret" .existingSecret) }}
{{- end }}
{{- end -}}
