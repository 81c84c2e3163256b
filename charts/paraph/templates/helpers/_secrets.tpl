{{- /* Settings from existing Secrets, by name and key, never by value: the key of a setting is its name, in the Secret of its component. `secretOverrides` says otherwise. [H17] */ -}}

{{- /* Component → its settings from Secrets, without those of Kafka. The chart uses an optional one only if `secretOverrides` names it. A test compares both lists with each config.ts. */ -}}
{{- define "paraph.secretSettings" -}}
gateway:
  required: [DATABASE_URL, DATABASE_DIRECT_URL, BUS_DATABASE_URL, CALLER_PRIVATE_KEY, CALLER_PUBLIC_KEYS, CODE_PEPPERS, CODE_KEYS, PAGE_SECRET]
  optional: [WINDOW_DATABASE_URL, OIDC_OWNERS_CLIENT_SECRET, OIDC_OPERATORS_CLIENT_SECRET, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET]
contract:
  required: [DATABASE_URL, DATABASE_DIRECT_URL, BUS_DATABASE_URL, CALLER_PRIVATE_KEY, CALLER_PUBLIC_KEYS, SHARE_TOKEN_KEYS]
  optional: []
signing:
  required: [DATABASE_URL, DATABASE_DIRECT_URL, BUS_DATABASE_URL, CALLER_PRIVATE_KEY, CALLER_PUBLIC_KEYS, CODE_PEPPERS, CODE_KEYS, PAGE_SECRET, EVIDENCE_KEY, SEAL_KEY, SEAL_CERTIFICATE, SANDBOX_EVIDENCE_KEY, SANDBOX_SEAL_KEY, SANDBOX_SEAL_CERTIFICATE]
  optional: [SEAL_P12, SEAL_P12_PASSWORD, SANDBOX_SEAL_P12, SANDBOX_SEAL_P12_PASSWORD, EVIDENCE_RETIRED_KEYS, SEAL_RETIRED_CERTIFICATES, OBJECT_STORE_URL]
notification:
  required: [DATABASE_URL, DATABASE_DIRECT_URL, BUS_DATABASE_URL, CALLER_PRIVATE_KEY, CALLER_PUBLIC_KEYS, CODE_KEYS, SMTP_URL]
  optional: []
topics:
  required: []
  optional: []
verify:
  required: [PARAPH_VERIFY_GATEWAY_DATABASE_URL, PARAPH_VERIFY_CONTRACT_DATABASE_URL, PARAPH_VERIFY_SIGNING_DATABASE_URL, PARAPH_VERIFY_NOTIFICATION_DATABASE_URL, PARAPH_VERIFY_BUS_DATABASE_URL]
  optional: [PARAPH_VERIFY_OBJECT_STORE_URL]
{{- end -}}

{{- /* One variable. Takes {name, component, values, variable: if it is not the name}. */ -}}
{{- define "paraph.fromSecret" -}}
{{- $override := index .values.secretOverrides .name | default dict -}}
- name: {{ .variable | default .name }}
  valueFrom:
    secretKeyRef:
      name: {{ $override.name | default .values.existingSecret | default (printf "paraph-%s" .component) }}
      key: {{ $override.key | default .name }}
{{- end -}}

{{- /* Every variable of a component that comes from a Secret and that the chosen bus and the overrides call for. Takes {root, component, values}. */ -}}
{{- define "paraph.fromSecrets" -}}
{{- $isKafka := eq .root.Values.eventBus "kafka" -}}
{{- $overrides := .values.secretOverrides -}}
{{- $settings := index (include "paraph.secretSettings" .root | fromYaml) .component -}}
{{- $required := $settings.required -}}
{{- $optional := $settings.optional -}}
{{- if and $isKafka (ne .component "verify") -}}
{{- $required = concat $required (empty .root.Values.kafka.saslMechanism | ternary list (list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD")) -}}
{{- $optional = concat $optional (list "KAFKA_TLS_CA" "KAFKA_TLS_CERT" "KAFKA_TLS_KEY") -}}
{{- end -}}
{{- range $name := concat $required $optional | sortAlpha -}}
{{- $isUnnamed := and (has $name $optional) (not (hasKey $overrides $name)) -}}
{{- $isOfOtherBus := and $isKafka (contains "BUS_DATABASE_URL" $name) -}}
{{- /* A PKCS#12 file replaces the key and its certificate. */ -}}
{{- $isReplaced := and (regexMatch "SEAL_(KEY|CERTIFICATE)$" $name) (hasKey $overrides (regexReplaceAll "(KEY|CERTIFICATE)$" $name "P12")) -}}
{{- if not (or $isUnnamed $isOfOtherBus $isReplaced) }}
{{ include "paraph.fromSecret" (dict "name" $name "component" $.component "values" $.values) }}
{{- end -}}
{{- end -}}
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
