{{/* The keys of values.yaml, by section: "." is the top. */}}
{{- define "weir.knownValues" -}}
.: [nameOverride, fullnameOverride, token, replicaCount, logFormat, image, service, allowedNamespaces,
  defaultNamespace, rbac, serviceAccount, clusterRole, resources, priorityClassName, nodeSelector, annotations,
  podLabels, tolerations, affinity, extraVolumeMounts, extraVolumes, dnsPolicy, dnsConfig, gpgKeys, sync, git, sops,
  registry, memcached, ssh, kube, additionalArgs, env, extraEnvs, extraEnvsFrom, prometheus, syncGarbageCollection,
  manifestGeneration, initContainers, extraContainers, hostAliases, dashboards, podSecurity, podSecurityContext,
  securityContext]
clusterRole: [create, name]
dashboards: [enabled, namespace, nameprefix]
env: [secretName]
git: [url, branch, path, readonly, user, email, signingKey, verifySignatures, verifySignaturesMode, setAuthor, label,
  ciSkip, pollInterval, timeout, secretName, secretDataKey, secret, config]
git.config: [enabled, secretName, data]
git.secret: [enabled]
gpgKeys: [secretName, configMapName]
image: [repository, tag, pullPolicy, pullSecret]
kube: [externalConfig, config]
memcached: [enabled, hostnameOverride, repository, tag, pullSecret, createClusterIP, verbose, maxItemSize, maxMemory,
  addSecurityContext, securityContext, annotations, nodeSelector, tolerations, affinity, resources, priorityClassName,
  networkPolicy]
prometheus: [enabled, serviceMonitor]
prometheus.serviceMonitor: [create, interval, scrapeTimeout, namespace, additionalLabels]
rbac: [create, pspEnabled]
registry: [automationInterval, pollInterval, rps, burst, trace, insecureHosts, cacheExpiry, disableScanning,
  excludeImage, includeImage, useTimestampLabels, ecr, acr, dockercfg]
registry.acr: [enabled, hostPath, secretName]
registry.dockercfg: [enabled, secretName, configFileName]
registry.ecr: [region, includeId, excludeId, require]
service: [type, createClusterIP, port]
serviceAccount: [create, name, annotations]
sops: [enabled]
ssh: [known_hosts, keygen, secret, config]
ssh.keygen: [format]
ssh.secret: [annotations]
sync: [state, timeout, interval]
syncGarbageCollection: [enabled, dry]
{{- end -}}

{{/* The values that this chart doesn't know, such as misspelt ones, separated by commas. */}}
{{- define "weir.unknownValues" -}}
{{- $values := .Values.AsMap -}}
{{- $unknown := list -}}
{{- range $section, $known := include "weir.knownValues" . | fromYaml -}}
{{- $path := eq $section "." | ternary list (splitList "." $section) -}}
{{- $fields := $values -}}
{{- range $path -}}
{{- if kindIs "map" $fields -}}
{{- $fields = get $fields . -}}
{{- end -}}
{{- end -}}
{{- if kindIs "map" $fields -}}
{{- range $key, $_ := omit $fields "global" -}}
{{- if not (has $key $known) -}}
{{- $unknown = append $unknown (append $path $key | join ".") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $unknown | sortAlpha | join ", " -}}
{{- end -}}
