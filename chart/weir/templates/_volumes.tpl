{{/*
The volumes that values ask for: a list of {volume, mount} as JSON objects, so that a volume and where the container has
it are in one place.
*/}}
{{- define "weir.volumes" -}}
{{- $git := .Values.git | default dict -}}
{{- $gitConfig := $git.config | default dict -}}
{{- $keys := .Values.gpgKeys | default dict -}}
{{- $paths := include "weir.paths" . | fromYaml -}}
{{- $fullname := include "weir.fullname" . -}}
{{- if not (include "weir.on" (list (.Values.kube | default dict).externalConfig false)) }}
- volume:
    name: kubedir
    configMap:
      name: {{ $fullname }}-kube-config
  mount:
    mountPath: {{ $paths.kube }}
{{- end }}
{{- if (.Values.ssh | default dict).known_hosts }}
- volume:
    name: sshdir
    configMap:
      name: {{ $fullname }}-ssh-config
      defaultMode: 0600
  mount:
    mountPath: {{ $paths.ssh }}
    readOnly: true
{{- end }}
{{- if include "weir.on" (list $gitConfig.enabled false) }}
- volume:
    name: git-config
    secret:
      secretName: {{ include "weir.gitConfigSecret" . }}
      defaultMode: 0400
  mount:
    mountPath: {{ $paths.gitConfig }}
    subPath: gitconfig
    readOnly: true
{{- end }}
- volume:
    name: git-key
    secret:
      secretName: {{ include "weir.deployKeySecret" . }}
      defaultMode: 0400
  mount:
    mountPath: /etc/fluxd/ssh
    readOnly: true
- volume:
    name: git-keygen
    emptyDir:
      medium: Memory
  mount:
    mountPath: /var/fluxd/keygen
{{- include "weir.registryVolumes" . }}
{{- with $keys.secretName }}
- volume:
    name: gpg-keys
    secret:
      secretName: {{ . }}
      defaultMode: 0400
  mount:
    mountPath: {{ $paths.gpg }}/private
    readOnly: true
{{- end }}
{{- with $keys.configMapName }}
- volume:
    name: gpg-public-keys
    configMap:
      name: {{ . }}
      defaultMode: 0400
  mount:
    mountPath: {{ $paths.gpg }}/public
    readOnly: true
{{- end }}
{{- end -}}

{{- define "weir.registryVolumes" -}}
{{- $registry := .Values.registry | default dict -}}
{{- $acr := $registry.acr | default dict -}}
{{- $dockerConfig := $registry.dockercfg | default dict -}}
{{- if include "weir.on" (list $acr.enabled false) }}
- volume:
    name: acr-credentials
    {{- if $acr.secretName }}
    secret:
      secretName: {{ $acr.secretName }}
    {{- else }}
    hostPath:
      path: {{ $acr.hostPath | default "/etc/kubernetes/azure.json" | quote }}
      type: ""
    {{- end }}
  mount:
    mountPath: {{ and $acr.secretName "/etc/kubernetes/" | default "/etc/kubernetes/azure.json" }}
    readOnly: true
{{- end }}
{{- if include "weir.on" (list $dockerConfig.enabled false) }}
- volume:
    name: docker-credentials
    secret:
      secretName: {{ $dockerConfig.secretName | quote }}
  mount:
    mountPath: /dockercfg/
    readOnly: true
{{- end }}
{{- end -}}

{{/* Refuses mounts that fluxd couldn't use without root. */}}
{{- define "weir.checkMounts" -}}
{{- if include "weir.isRestricted" . -}}
{{- $acr := (.Values.registry | default dict).acr | default dict -}}
{{- if and (include "weir.on" (list $acr.enabled false)) (not $acr.secretName) -}}
{{- fail "podSecurity=restricted doesn't admit volumes of the node: set registry.acr.secretName" -}}
{{- end -}}
{{- end -}}
{{- if include "weir.isUnprivileged" . -}}
{{- range .Values.extraVolumeMounts -}}
{{- if regexMatch `^/root(/|$)` .mountPath -}}
{{- printf "with these values of podSecurity, podSecurityContext, or securityContext, fluxd isn't root and can't read %s: change extraVolumeMounts" .mountPath | fail -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
