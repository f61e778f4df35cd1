{{- define "settee.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{ include "settee.selector" . }}
{{- end }}

{{- define "settee.selector" -}}
app.kubernetes.io/name: settee
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "settee.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "settee.environment" -}}
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: TRUST_PROXY, value: {{ .Values.trustProxy | quote }} }
# Probes come from the node, and Prometheus from another pod.
- { name: PRIVATE_HOST, value: 0.0.0.0 }
- { name: RUN_JOBS, value: "false" }
{{- if and .Values.tls.required (not (hasPrefix "https://" .Values.s3.endpoint)) }}
{{- fail "tls.required is true, so s3.endpoint must start with https://" }}
{{- end }}
{{ include "settee.tls" . }}
- { name: S3_ENDPOINT, value: {{ .Values.s3.endpoint | quote }} }
{{- with .Values.s3.publicEndpoint }}
- { name: S3_PUBLIC_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: S3_REGION, value: {{ .Values.s3.region | quote }} }
- { name: S3_BUCKET, value: {{ .Values.s3.bucket | quote }} }
{{- with .Values.vapidSubject }}
- { name: VAPID_SUBJECT, value: {{ . | quote }} }
{{- end }}
{{- range .Values.secretKeys }}
- { name: {{ . }}_FILE, value: /run/secrets/settee/{{ . }} }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "settee.tls" -}}
- { name: REQUIRE_TLS, value: {{ .Values.tls.required | quote }} }
{{- with .Values.tls.caKey }}
- { name: NODE_EXTRA_CA_CERTS, value: /run/secrets/settee/{{ . }} }
{{- end }}
{{- end }}

{{- define "settee.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "settee.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "settee.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: private }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: private }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: private }
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}

{{/* Takes a list: the context, and the keys of the secret. */}}
{{- define "settee.secretVolume" -}}
{{- $context := index . 0 -}}
- name: secrets
  secret:
    secretName: {{ $context.Values.existingSecret }}
    defaultMode: 0440
    items:
{{- range index . 1 }}
      - { key: {{ . }}, path: {{ . }} }
{{- end }}
{{- with $context.Values.tls.caKey }}
      - { key: {{ . }}, path: {{ . }} }
{{- end }}
{{- end }}
