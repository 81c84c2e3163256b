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

{{- /* Settings that the program reads from a file, as `X_FILE` instead of `X`: those of Secrets, except those of OpenTelemetry. Takes {root, environment: YAML}; returns the Secrets by setting. */ -}}
{{- define "paraph.fileSettings" -}}
{{- $files := dict -}}
{{- if .root.Values.secretsAsFiles -}}
{{- range .environment | default "" | fromYamlArray -}}
{{- if and .valueFrom .valueFrom.secretKeyRef (not (hasPrefix "OTEL_" .name)) -}}
{{- $_ := set $files .name .valueFrom.secretKeyRef -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{- /* An environment whose file settings name their files. Takes {root, environment: YAML}. */ -}}
{{- define "paraph.withFiles" -}}
{{- $files := include "paraph.fileSettings" . | fromYaml -}}
{{- if $files -}}
{{- $environment := list -}}
{{- range .environment | fromYamlArray -}}
{{- $environment = append $environment (hasKey $files .name | ternary (dict "name" (printf "%s_FILE" .name) "value" (printf "/etc/paraph/secrets/%s" .name)) .) -}}
{{- end -}}
{{- toYaml $environment -}}
{{- else -}}
{{- .environment | trim -}}
{{- end -}}
{{- end -}}

{{- /* The volume of these files, or nothing. Takes {root, environment: YAML}. */ -}}
{{- define "paraph.secretVolume" -}}
{{- with include "paraph.fileSettings" . | fromYaml -}}
- name: secrets
  projected:
    defaultMode: 0444
    sources:
      {{- range $name, $from := . }}
      - secret:
          name: {{ $from.name }}
          items:
            - key: {{ $from.key }}
              path: {{ $name }}
      {{- end }}
{{- end -}}
{{- end -}}

{{- /* Its mount, or nothing. Takes {root, environment: YAML}. */ -}}
{{- define "paraph.secretMount" -}}
{{- if include "paraph.fileSettings" . | fromYaml -}}
- name: secrets
  mountPath: /etc/paraph/secrets
  readOnly: true
{{- end -}}
{{- end -}}
