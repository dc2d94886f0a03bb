{{- define "fava.labels" -}}
app.kubernetes.io/name: fava
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- /* Other labels than those of a server, or the Service would send it requests. */ -}}
{{- define "fava.migrationLabels" -}}
app.kubernetes.io/name: fava-migration
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "fava.secret" -}}
{{ .Values.secret.existing | default (printf "%s-secret" .Release.Name) }}
{{- end }}
{{- define "fava.image" -}}
{{ required "image.repository is missing: name the image that you built and pushed" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- define "fava.host" -}}
{{ (urlParse .Values.settings.PUBLIC_ORIGIN).hostname }}
{{- end }}
{{- define "fava.settings" -}}
{{- $needed := list "PUBLIC_ORIGIN" "TRUST_PROXY" "TURN_URLS" "ONLINE_COUNT" "S3_ENDPOINT" "S3_REGION" "S3_BUCKET" "COMPANY_NAME" "COMPANY_ADDRESS" "CONTACT_EMAIL" "CONTACT_ACCOUNT" "BUSINESS_EMAIL" "BUSINESS_PHONE" }}
{{- range $needed }}
{{- $_ := required (printf "settings.%s is missing: no server starts without it" .) (get $.Values.settings .) }}
{{- end }}
{{- $elsewhere := or .Values.secret.existing .Values.environment .Values.environmentFrom }}
{{- $all := merge (dict) .Values.settings .Values.secret.values }}
{{- if not (or $elsewhere $all.GOOGLE_CLIENT_ID $all.FACEBOOK_APP_ID $all.APPLE_CLIENT_ID) }}
{{- fail "settings.GOOGLE_CLIENT_ID, FACEBOOK_APP_ID or APPLE_CLIENT_ID is missing: no server starts without a sign-in provider" }}
{{- end }}
{{- if not (or $elsewhere $all.STRIPE_SECRET_KEY $all.PAYERMAX_APP_ID $all.CODA_API_KEY) }}
{{- fail "secret.values.STRIPE_SECRET_KEY, PAYERMAX_APP_ID or CODA_API_KEY is missing: no server starts without a payment provider" }}
{{- end }}
{{- range $name, $other := dict "STRIPE_SECRET_KEY" "STRIPE_WEBHOOK_SECRET" "CODA_API_KEY" "CODA_PROJECT_ID" "FACEBOOK_APP_ID" "FACEBOOK_APP_SECRET" "APPLE_CLIENT_ID" "APPLE_REDIRECT_URI" }}
{{- if and (get $all $name) (not (get $all $other)) (not $elsewhere) }}
{{- fail (printf "%s is missing: no server starts with %s alone" $other $name) }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
{{ $name }}: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- define "fava.secretValues" -}}
{{- range $name, $value := .Values.secret.values }}
{{- if or $value (ne $name "TURN_CLI_PASSWORD") $.Values.settings.TURN_CLI_ADDRESSES }}
{{ $name }}: {{ required (printf "secret.values.%s is missing" $name) $value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- define "fava.environment" -}}
envFrom:
  - configMapRef: { name: {{ .settings }} }
  - secretRef: { name: {{ .secret }} }
  {{- with .root.Values.environmentFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  - name: ADDRESS
    valueFrom: { fieldRef: { fieldPath: status.podIP } }
  - { name: PEER_URL, value: "http://$(ADDRESS):3000" }
  - { name: HOST, value: "0.0.0.0" }
  - { name: PORT, value: "3000" }
  - { name: DATA_DIR, value: /data }
  {{- if .root.Values.podMonitor.enabled }}
  - { name: METRICS_PORT, value: "9464" }
  - { name: METRICS_HOST, value: "0.0.0.0" }
  {{- end }}
  {{- with .root.Values.environment }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
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
{{- define "fava.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: data, emptyDir: {} }
  - { name: temporary, emptyDir: {} }
{{- end }}
