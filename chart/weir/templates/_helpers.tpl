{{/*
With `helm upgrade --reuse-values`, .Values has only what the chart of the previous release knew, so every value may be
missing. Sections are read as `.Values.git | default dict`, and a default of values.yaml is repeated where it's used.
*/}}

{{/* Text as it was meant: helm reads numbers as floating point, and would print 602401143452 as 6.02401143452e+11. */}}
{{- define "weir.text" -}}
{{- if kindIs "invalid" . -}}
{{- else if and (kindIs "float64" .) (eq . (floor .)) -}}
{{- int64 . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* Text as a file, which ends with a line break. */}}
{{- define "weir.file" -}}
{{- toString . | trimSuffix "\n" }}
{{ end -}}

{{/* Of a list with a value and its default: "true", or "" for false. Text, as `--set-string` gives it, counts too. */}}
{{- define "weir.on" -}}
{{- $value := first . -}}
{{- if kindIs "invalid" $value -}}
{{- $value = last . -}}
{{- end -}}
{{- if eq (toString $value) "true" -}}true{{- end -}}
{{- end -}}

{{/* Of a list with fields and their defaults: both as YAML. (`merge` would take a false or a 0 for missing.) */}}
{{- define "weir.over" -}}
{{- $fields := last . | deepCopy -}}
{{- range $name, $value := first . -}}
{{- $_ := set $fields $name $value -}}
{{- end -}}
{{- toYaml $fields -}}
{{- end -}}

{{/* Of the resources in values: those of a container. */}}
{{- define "weir.resources" -}}
{{- $usual := dict "requests" (dict "cpu" "50m" "memory" "64Mi") -}}
{{- kindIs "invalid" . | ternary $usual . | toYaml -}}
{{- end -}}

{{/* Of a list with a flag and its value: an argument. */}}
{{- define "weir.argument" -}}
{{- printf "--%s=%s" (first .) (last . | include "weir.text") | quote -}}
{{- end -}}

{{/* Of a list with a flag and its value: a list item with the argument, unless there is no value. */}}
{{- define "weir.optional" -}}
{{- if last . }}
- {{ include "weir.argument" . }}
{{- end -}}
{{- end -}}

{{/* What objects are labelled with: as in the chart of Flux v1, because selectors can't be changed. */}}
{{- define "weir.name" -}}
{{- .Values.nameOverride | default "flux" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What objects are called. */}}
{{- define "weir.fullname" -}}
{{- $name := .Values.nameOverride | default "flux" -}}
{{- $usual := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "weir.selector" -}}
app: {{ include "weir.name" . }}
release: {{ .Release.Name }}
{{- end -}}

{{- define "weir.memcached.selector" -}}
app: {{ include "weir.name" . }}-memcached
release: {{ .Release.Name }}
{{- end -}}

{{/* The labels besides `app`. */}}
{{- define "weir.releaseLabels" -}}
chart: {{ printf "weir-%s" .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
release: {{ .Release.Name }}
heritage: {{ .Release.Service }}
{{- end -}}

{{- define "weir.labels" -}}
app: {{ include "weir.name" . }}
{{ include "weir.releaseLabels" . }}
{{- end -}}

{{- define "weir.serviceAccountName" -}}
{{- $account := .Values.serviceAccount | default dict -}}
{{- $usual := and (include "weir.on" (list $account.create true)) (include "weir.fullname" .) | default "default" -}}
{{- $account.name | default $usual -}}
{{- end -}}

{{/* "true" if fluxd may do everything in the cluster. */}}
{{- define "weir.clusterWide" -}}
{{- $role := .Values.clusterRole | default dict -}}
{{- include "weir.on" (list $role.create true) -}}
{{- end -}}

{{/* The namespaces that fluxd works in if not in the whole cluster, as JSON. */}}
{{- define "weir.namespaces" -}}
{{- append (.Values.allowedNamespaces | default list) .Release.Namespace | uniq | toJson -}}
{{- end -}}

{{- define "weir.deployKeySecret" -}}
{{- $git := .Values.git | default dict -}}
{{- $git.secretName | default (printf "%s-git-deploy" (include "weir.fullname" .)) -}}
{{- end -}}

{{- define "weir.gitConfigSecret" -}}
{{- $config := (.Values.git | default dict).config | default dict -}}
{{- $config.secretName | default (printf "%s-git-config" (include "weir.fullname" .)) -}}
{{- end -}}

{{- define "weir.isRestricted" -}}
{{- if eq (.Values.podSecurity | default "") "restricted" -}}true{{- end -}}
{{- end -}}

{{/* The user that values name for fluxd, of the container before that of the pod; "" if they name none. */}}
{{- define "weir.user" -}}
{{- $ofContainer := (.Values.securityContext | default dict).runAsUser -}}
{{- $ofPod := (.Values.podSecurityContext | default dict).runAsUser -}}
{{- kindIs "invalid" $ofContainer | ternary $ofPod $ofContainer | include "weir.text" -}}
{{- end -}}

{{/* "true" if values demand that fluxd isn't root, without naming a user. */}}
{{- define "weir.mustNotBeRoot" -}}
{{- $ofPod := (.Values.podSecurityContext | default dict).runAsNonRoot -}}
{{- $security := .Values.securityContext | default dict -}}
{{- if not (include "weir.user" .) -}}
{{- include "weir.on" (list $security.runAsNonRoot $ofPod) -}}
{{- end -}}
{{- end -}}

{{/* "true" if fluxd may only use what others than root can read. */}}
{{- define "weir.isUnprivileged" -}}
{{- $user := include "weir.user" . -}}
{{- if or (include "weir.isRestricted" .) (include "weir.mustNotBeRoot" .) (and $user (ne $user "0")) -}}true{{- end -}}
{{- end -}}

{{/* Fields of the security context of fluxd's pod, unless values have others. */}}
{{- define "weir.podSecurity" -}}
{{- if include "weir.isRestricted" . -}}
{{- include "weir.restrictedPod" 1000 -}}
{{- else if include "weir.isUnprivileged" . -}}
fsGroup: 1000
{{- end -}}
{{- end -}}

{{/* And of its container's. The user of a container would take precedence over that of the pod. */}}
{{- define "weir.containerSecurity" -}}
{{- if include "weir.isRestricted" . -}}
{{- include "weir.restrictedContainer" . -}}
{{- else if not (include "weir.user" .) -}}
runAsUser: {{ include "weir.mustNotBeRoot" . | empty | ternary 0 1000 }}
{{- end -}}
{{- end -}}

{{/* Where the container has the files of users: root's home, as in Flux v1, or what others than root can read. */}}
{{- define "weir.paths" -}}
{{- if include "weir.isUnprivileged" . -}}
kube: /etc/fluxd/kube
ssh: /etc/fluxd/known-hosts
gitConfig: /etc/gitconfig
gpg: /etc/fluxd/gpg-import
{{- else -}}
kube: /root/.kubectl
ssh: /root/.ssh
gitConfig: /root/.gitconfig
gpg: /root/gpg-import
{{- end -}}
{{- end -}}

{{/* What the pod security standard "restricted" requires of pods; of a user. */}}
{{- define "weir.restrictedPod" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* And of containers. */}}
{{- define "weir.restrictedContainer" -}}
allowPrivilegeEscalation: false
capabilities:
  drop:
    - ALL
{{- end -}}
