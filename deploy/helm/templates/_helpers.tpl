{{- define "fava.labels" -}}
app.kubernetes.io/name: fava
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "fava.secret" -}}
{{ .Values.secret.existing | default (printf "%s-secret" .Release.Name) }}
{{- end }}
{{- define "fava.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- define "fava.environment" -}}
envFrom:
  - configMapRef: { name: {{ .Release.Name }}-settings }
  - secretRef: { name: {{ include "fava.secret" . }} }
env:
  - name: ADDRESS
    valueFrom: { fieldRef: { fieldPath: status.podIP } }
  - { name: PEER_URL, value: "http://$(ADDRESS):3000" }
  - { name: HOST, value: "0.0.0.0" }
  - { name: PORT, value: "3000" }
  {{- if .Values.podMonitor.enabled }}
  - { name: METRICS_HOST, value: "0.0.0.0" }
  - { name: METRICS_PORT, value: "9464" }
  {{- end }}
  - { name: DATA_DIR, value: /data }
{{- end }}
{{- define "fava.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: temporary, mountPath: /tmp }
{{- end }}
