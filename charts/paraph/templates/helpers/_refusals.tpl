{{- /* Values that the chart refuses, each with a sentence that names the remedy. values.schema.json covers what a schema can express. */ -}}

{{- define "paraph.refuse" -}}
{{- with .Values.image -}}
{{- if not .repository -}}
{{- fail "image.repository is empty: set it to the repository that you pushed the image to, such as images.example.com/paraph." -}}
{{- end -}}
{{- if or (not .tag) (eq .tag "latest") -}}
{{- fail "image.tag is empty or latest: set it to a version, so that a rollback finds the previous image. You may set image.digest as well." -}}
{{- end -}}
{{- end -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is empty: set it to the public URL of the gateway, such as https://sign.example.com." -}}
{{- end -}}
{{- range $name := list "MAIL_FROM_ADDRESS" "MAIL_DOMAIN" -}}
{{- if not (index $.Values.components.notification.settings $name) -}}
{{- fail (printf "components.notification.settings.%s is empty: set it; the notification service cannot send mail without it." $name) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.eventBus "kafka") (not .Values.kafka.brokers) -}}
{{- fail "kafka.brokers is empty, and eventBus is kafka: set it to host:port of one or more brokers." -}}
{{- end -}}
{{- with .Values.components.gateway -}}
{{- if eq (dig "settings" "BILLING" "" .) "stripe" -}}
{{- range $name := list "STRIPE_SECRET_KEY" "STRIPE_WEBHOOK_SECRET" -}}
{{- if not (hasKey ($.Values.components.gateway.secretOverrides | default dict) $name) -}}
{{- fail (printf "components.gateway.settings.BILLING is stripe, and secretOverrides does not name %s: set components.gateway.secretOverrides.%s to {}, or to the Secret and the key with its value." $name $name) -}}
{{- end -}}
{{- end -}}
{{- if not (dig "settings" "STRIPE_PRICES" "" .) -}}
{{- fail "components.gateway.settings.BILLING is stripe, and STRIPE_PRICES is empty: set it to prices of Stripe with their tiers, such as price_1Ab=startup,price_2Cd=growth." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.components.signing -}}
{{- if and (eq (dig "settings" "DOCUMENT_STORE" "" .) "s3") (not (hasKey (.secretOverrides | default dict) "OBJECT_STORE_URL")) -}}
{{- fail "components.signing.settings.DOCUMENT_STORE is s3, and secretOverrides does not name OBJECT_STORE_URL: set components.signing.secretOverrides.OBJECT_STORE_URL to {}, or to the Secret and the key with the URL of the bucket." -}}
{{- end -}}
{{- end -}}
{{- if and (hasKey .Values.defaults.secretOverrides "KAFKA_TLS_CA") (ne .Values.kafka.tls "on") -}}
{{- fail "defaults.secretOverrides names KAFKA_TLS_CA, and kafka.tls is off: set kafka.tls to on." -}}
{{- end -}}
{{- if and .Values.caBundle.existingSecret .Values.caBundle.existingConfigMap -}}
{{- fail "caBundle.existingSecret and caBundle.existingConfigMap are both set: remove one of them." -}}
{{- end -}}
{{- if gt (int .Values.kafka.topics.inSyncReplicas) (int .Values.kafka.topics.replicas) -}}
{{- fail "kafka.topics.inSyncReplicas is more than kafka.topics.replicas: lower it; no event could be published." -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- fail "ingress and httpRoute are both enabled: disable one of them." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.parentRefs is empty: set it to the Gateway of the route." -}}
{{- end -}}
{{- if and .Values.telemetry.metrics.podMonitor.enabled (not .Values.telemetry.metrics.enabled) -}}
{{- fail "telemetry.metrics.podMonitor is enabled, and telemetry.metrics is not: enable telemetry.metrics; the pods serve no metrics without it." -}}
{{- end -}}
{{- if and .Values.telemetry.metrics.podMonitor.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.prometheusFrom) -}}
{{- fail "telemetry.metrics.podMonitor is enabled, and networkPolicy.prometheusFrom is empty: set it to the pods of your Prometheus; nobody else may scrape." -}}
{{- end -}}
{{- range .Values.alerts.disabled -}}
{{- if not (has . (include "paraph.alertNames" $ | fromYamlArray)) -}}
{{- fail (printf "alerts.disabled names %s, which is no alert: remove it or correct it; docs/runbooks lists the alerts." .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.alerts.enabled (not (include "paraph.runbooks" .)) -}}
{{- fail "alerts.runbookBaseUrl is empty, alerts is enabled, and this chart is from a checkout, which has no default: set it to the URL of docs/runbooks at this version, such as https://git.example.com/paraph/docs/runbooks; each alert links to its page there." -}}
{{- end -}}
{{- if and .Values.telemetry.otlp.metrics (not .Values.telemetry.otlp.endpoint) -}}
{{- fail "telemetry.otlp.metrics is on, and telemetry.otlp.endpoint is empty: set the endpoint of the collector." -}}
{{- end -}}
{{- $partitions := eq .Values.eventBus "kafka" | ternary .Values.kafka.topics.partitions 8 | int -}}
{{- range $component := include "paraph.components" . | fromYamlArray -}}
{{- $values := include "paraph.values" (dict "root" $ "component" $component) | fromYaml -}}
{{- with $values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail (printf "components.%s.autoscaling: minReplicas is more than maxReplicas: lower it." $component) -}}
{{- end -}}
{{- if and .enabled (has $component (include "paraph.consumers" $ | fromYamlArray)) (gt (int .maxReplicas) $partitions) -}}
{{- fail (printf "components.%s.autoscaling.maxReplicas is %d, and the bus has %d partitions: lower it; further pods would consume nothing." $component (int .maxReplicas) $partitions) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $component "gateway") (eq $values.settings.WINDOW_STORE "memory") (gt (include "paraph.replicasMax" $values | int) 1) -}}
{{- fail "components.gateway.settings.WINDOW_STORE is memory, and several gateway pods may run: each would allow the whole limit. Set it to postgres." -}}
{{- end -}}
{{- end -}}
{{- end -}}
