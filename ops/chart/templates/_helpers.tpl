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

{{- define "settee.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
    items:
{{- range .Values.secretKeys }}
      - { key: {{ . }}, path: {{ . }} }
{{- end }}
{{- end }}
