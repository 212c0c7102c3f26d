{{/* The arguments of fluxd: those of the chart of Flux v1, in the same order. */}}
{{- define "weir.arguments" -}}
{{- $git := .Values.git | default dict -}}
{{- $sync := .Values.sync | default dict -}}
{{- $ssh := .Values.ssh | default dict -}}
{{- $memcached := .Values.memcached | default dict -}}
{{- $ownMemcached := printf "%s-memcached" (include "weir.fullname" .) -}}
{{- $logFormat := kindIs "invalid" .Values.logFormat | ternary "fmt" .Values.logFormat -}}
{{- $pollInterval := $git.pollInterval | default "5m" -}}
{{- if not (include "weir.clusterWide" .) }}
- {{ include "weir.argument" (list "k8s-allow-namespace" (include "weir.namespaces" . | fromJsonArray | join ",")) }}
{{- end }}
{{- include "weir.optional" (list "k8s-default-namespace" .Values.defaultNamespace) }}
{{- include "weir.optional" (list "log-format" $logFormat) }}
- "--ssh-keygen-dir=/var/fluxd/keygen"
- {{ include "weir.argument" (list "ssh-keygen-format" (($ssh.keygen | default dict).format | default "RFC4716")) }}
- {{ include "weir.argument" (list "k8s-secret-name" (include "weir.deployKeySecret" .)) }}
{{- include "weir.optional" (list "k8s-secret-data-key" $git.secretDataKey) }}
- {{ include "weir.argument" (list "memcached-hostname" ($memcached.hostnameOverride | default $ownMemcached)) }}
- {{ include "weir.argument" (list "sync-state" ($sync.state | default "git")) }}
{{- include "weir.optional" (list "sync-timeout" $sync.timeout) }}
{{- if include "weir.on" (list $memcached.createClusterIP true) }}
- "--memcached-service="
{{- end }}
{{- include "weir.gitArguments" . }}
- {{ include "weir.argument" (list "git-poll-interval" $pollInterval) }}
- {{ include "weir.argument" (list "git-timeout" ($git.timeout | default "20s")) }}
- {{ include "weir.argument" (list "sync-interval" ($sync.interval | default $pollInterval)) }}
- {{ include "weir.argument" (list "git-ci-skip" ($git.ciSkip | default false)) }}
{{- include "weir.optional" (list "git-label" $git.label) }}
{{- if include "weir.on" (list (.Values.sops | default dict).enabled false) }}
- "--sops=true"
{{- end }}
{{- if include "weir.on" (list .Values.manifestGeneration false) }}
- "--manifest-generation=true"
{{- end }}
{{- include "weir.registryArguments" . }}
{{- with .Values.token }}
- "--connect=wss://cloud.weave.works/api/flux"
- {{ include "weir.argument" (list "token" .) }}
{{- end }}
{{- include "weir.garbageArguments" . }}
{{- with .Values.additionalArgs }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "weir.gitArguments" -}}
{{- $git := .Values.git | default dict }}
- {{ include "weir.argument" (list "git-url" $git.url) }}
- {{ include "weir.argument" (list "git-branch" ($git.branch | default "master")) }}
- {{ include "weir.argument" (list "git-path" $git.path) }}
- {{ include "weir.argument" (list "git-readonly" ($git.readonly | default false)) }}
- {{ include "weir.argument" (list "git-user" ($git.user | default "Weave Flux")) }}
- {{ include "weir.argument" (list "git-email" ($git.email | default "support@weave.works")) }}
{{- include "weir.optional" (list "git-gpg-key-import" (include "weir.gpgFolders" .)) }}
{{- include "weir.optional" (list "git-signing-key" $git.signingKey) }}
{{- if $git.verifySignaturesMode }}
- {{ include "weir.argument" (list "git-verify-signatures-mode" $git.verifySignaturesMode) }}
{{- else }}
- {{ include "weir.argument" (list "git-verify-signatures" ($git.verifySignatures | default false)) }}
{{- end }}
- {{ include "weir.argument" (list "git-set-author" ($git.setAuthor | default false)) }}
{{- if include "weir.on" (list ($git.secret | default dict).enabled false) }}
- "--git-secret"
{{- end }}
{{- end -}}

{{/* The folders with OpenPGP keys, separated by commas. */}}
{{- define "weir.gpgFolders" -}}
{{- $keys := .Values.gpgKeys | default dict -}}
{{- $root := (include "weir.paths" . | fromYaml).gpg -}}
{{- $private := $keys.secretName | empty | ternary list (list (printf "%s/private" $root)) -}}
{{- $public := $keys.configMapName | empty | ternary list (list (printf "%s/public" $root)) -}}
{{- concat $private $public | join "," -}}
{{- end -}}

{{- define "weir.registryArguments" -}}
{{- $registry := .Values.registry | default dict -}}
{{- $ecr := $registry.ecr | default dict -}}
{{- $dockerConfig := $registry.dockercfg | default dict -}}
{{- $interval := $registry.pollInterval | default $registry.automationInterval | default "5m" }}
- {{ include "weir.argument" (list "automation-interval" $interval) }}
- {{ include "weir.argument" (list "registry-rps" (kindIs "invalid" $registry.rps | ternary 200 $registry.rps)) }}
- {{ include "weir.argument" (list "registry-burst" (kindIs "invalid" $registry.burst | ternary 125 $registry.burst)) }}
- {{ include "weir.argument" (list "registry-trace" ($registry.trace | default false)) }}
{{- if include "weir.on" (list $ecr.require false) }}
- "--registry-require=ecr"
{{- end }}
{{- include "weir.optional" (list "registry-insecure-host" $registry.insecureHosts) }}
{{- include "weir.optional" (list "registry-cache-expiry" $registry.cacheExpiry) }}
{{- if include "weir.on" (list $registry.disableScanning false) }}
- "--registry-disable-scanning"
{{- end }}
{{- include "weir.optional" (list "registry-exclude-image" $registry.excludeImage) }}
{{- include "weir.optional" (list "registry-include-image" $registry.includeImage) }}
{{- include "weir.optional" (list "registry-use-labels" $registry.useTimestampLabels) }}
{{- include "weir.optional" (list "registry-ecr-region" $ecr.region) }}
{{- include "weir.optional" (list "registry-ecr-include-id" $ecr.includeId) }}
{{- include "weir.optional" (list "registry-ecr-exclude-id" $ecr.excludeId) }}
{{- if include "weir.on" (list $dockerConfig.enabled false) }}
- {{ include "weir.argument" (list "docker-config" ($dockerConfig.configFileName | default "/dockercfg/config.json")) }}
{{- end }}
{{- end -}}

{{- define "weir.garbageArguments" -}}
{{- $garbage := .Values.syncGarbageCollection | default dict -}}
{{- if include "weir.on" (list $garbage.dry false) }}
- "--sync-garbage-collection-dry=true"
{{- else if include "weir.on" (list $garbage.enabled false) }}
- "--sync-garbage-collection=true"
{{- end }}
{{- end -}}
