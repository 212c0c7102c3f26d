{{- define "weir-console.name" -}}
{{- .Values.nameOverride | default "weir-console" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What objects are called. */}}
{{- define "weir-console.fullname" -}}
{{- $name := include "weir-console.name" . -}}
{{- $usual := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "weir-console.selector" -}}
app.kubernetes.io/name: {{ include "weir-console.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir-console.labels" -}}
{{ include "weir-console.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "weir-console-%s" .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "weir-console.image" -}}
{{- $required := "set image.repository to an image that starts weir-console: docker.io/weirdev/weir-console, or a copy of it" -}}
{{- printf "%s:%s" (required $required .Values.image.repository) (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* "true" if the database is embedded. */}}
{{- define "weir-console.isEmbedded" -}}
{{- if not .Values.database.secretName -}}true{{- end -}}
{{- end -}}

{{/* Fails for values that don't go together. */}}
{{- define "weir-console.check" -}}
{{- $_ := required "set publicUrl to the address at which people and daemons reach the console, such as https://weir.example.com" .Values.publicUrl -}}
{{- if and (include "weir-console.isEmbedded" .) (gt (int .Values.replicaCount) 1) -}}
{{- printf "replicaCount is %d, but only one console can use an embedded database: set database.secretName to a Secret with the URL of PostgreSQL, or replicaCount to 1" (int .Values.replicaCount) | fail -}}
{{- end -}}
{{- if and .Values.database.secretName (not .Values.encryption.secretName) -}}
{{- fail "database.secretName needs encryption.secretName: make a key with `openssl rand -base64 32`, and put it into a Secret" -}}
{{- end -}}
{{- if ne (empty .Values.openid.issuer) (empty .Values.openid.clientId) -}}
{{- fail "an identity provider needs both openid.issuer and openid.clientId" -}}
{{- end -}}
{{- if and (not .Values.passwords) (not .Values.openid.issuer) -}}
{{- fail "nobody could log in: set passwords to true, or openid.issuer and openid.clientId" -}}
{{- end -}}
{{- end -}}

{{/* The arguments, as a list. */}}
{{- define "weir-console.arguments" -}}
- serve
- {{ printf "--public-url=%s" .Values.publicUrl | quote }}
- --listen=:8080
- --listen-metrics=:9090
- --log-format={{ .Values.logFormat }}
{{- if include "weir-console.isEmbedded" . }}
- --data-folder=/var/lib/weir-console
{{- end }}
{{- if .Values.encryption.secretName }}
- --secret-key-file=/etc/weir-console/keys
{{- end }}
{{- if not .Values.passwords }}
- --passwords=false
{{- end }}
{{- with .Values.trustedProxies }}
- {{ join "," . | printf "--trusted-proxies=%s" | quote }}
{{- end }}
{{- with .Values.notifyPrivateHosts }}
- {{ join "," . | printf "--notify-private-hosts=%s" | quote }}
{{- end }}
{{- with .Values.openid }}
{{- if .issuer }}
- {{ printf "--openid-issuer=%s" .issuer | quote }}
- {{ printf "--openid-client-id=%s" .clientId | quote }}
- {{ printf "--openid-name=%s" .name | quote }}
- {{ printf "--openid-groups-claim=%s" .groupsClaim | quote }}
{{- with .scopes }}
- {{ join "," . | printf "--openid-scopes=%s" | quote }}
{{- end }}
{{- with .confirmedHours }}
- {{ printf "--openid-confirmed-hours=%v" . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end -}}
