{{- /* What cannot be installed, as one sentence each that says what to do. What a schema can say is in values.schema.json. */ -}}

{{- define "paraph.refuse" -}}
{{- with .Values.image -}}
{{- if not .repository -}}
{{- fail "image.repository is empty: set it to where you pushed the image, such as images.example.com/paraph." -}}
{{- end -}}
{{- if or (not .tag) (eq .tag "latest") -}}
{{- fail "image.tag is empty or latest: name the version, so that a rollback finds what ran before. image.digest may be set beside it." -}}
{{- end -}}
{{- end -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is empty: set it to where people reach the gateway, such as https://sign.example.com." -}}
{{- end -}}
{{- range $name := list "MAIL_FROM_ADDRESS" "MAIL_DOMAIN" -}}
{{- if not (index $.Values.components.notification.settings $name) -}}
{{- fail (printf "components.notification.settings.%s is empty: no mail can be sent without it." $name) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.eventBus "kafka") (not .Values.kafka.brokers) -}}
{{- fail "kafka.brokers is empty: eventBus is kafka, which needs host:port of some brokers." -}}
{{- end -}}
{{- if and .Values.kafka.ca.existingSecret (ne .Values.kafka.tls "on") -}}
{{- fail "kafka.ca names an authority, and kafka.tls is off: set kafka.tls to on." -}}
{{- end -}}
{{- if gt (int .Values.kafka.topics.inSyncReplicas) (int .Values.kafka.topics.replicas) -}}
{{- fail "kafka.topics.inSyncReplicas is more than kafka.topics.replicas: no event could be published." -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- fail "ingress and httpRoute are both enabled: choose one way to the gateway." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.parentRefs is empty: name the Gateway that carries the route." -}}
{{- end -}}
{{- if and .Values.telemetry.metrics.podMonitor.enabled (not .Values.telemetry.metrics.enabled) -}}
{{- fail "telemetry.metrics.podMonitor is enabled, and telemetry.metrics is not: there would be nothing to scrape." -}}
{{- end -}}
{{- if and .Values.telemetry.otlp.metrics (not .Values.telemetry.otlp.endpoint) -}}
{{- fail "telemetry.otlp.metrics is on, and telemetry.otlp.endpoint is empty: say where to send them." -}}
{{- end -}}
{{- $partitions := eq .Values.eventBus "kafka" | ternary .Values.kafka.topics.partitions 8 | int -}}
{{- range $component := include "paraph.components" . | fromYamlArray -}}
{{- $values := include "paraph.values" (dict "root" $ "component" $component) | fromYaml -}}
{{- with $values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "components.%s.autoscaling: minReplicas is more than maxReplicas." $component) -}}
{{- end -}}
{{- if and .enabled (has $component (include "paraph.consumers" $ | fromYamlArray)) (gt (int .maxReplicas) $partitions) -}}
{{- fail (printf "components.%s.autoscaling.maxReplicas is %d, and the bus has %d partitions: further pods would have nothing to consume." $component (int .maxReplicas) $partitions) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $component "gateway") (eq $values.settings.WINDOW_STORE "memory") (gt (include "paraph.replicasMax" $values | int) 1) -}}
{{- fail "components.gateway.settings.WINDOW_STORE is memory, and there may be several gateways: each would admit the whole limit. Set it to postgres." -}}
{{- end -}}
{{- end -}}
{{- end -}}
