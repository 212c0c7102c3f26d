import type { ChartGitValues, ChartNames, ChartRegistryValues, ChartValues } from "./chart-values.ts";

/**
 * The arguments that the chart gives to fluxd. It spells most of them out even at their defaults: an empty --git-path,
 * --git-verify-signatures=false, and a --k8s-secret-name of the release.
 */
export function chartArguments(values: ChartValues, names: ChartNames): readonly string[] {
  const { clusterRole, allowedNamespaces = [], git = {}, registry = {}, memcached, sync } = values;
  const pollInterval = git.pollInterval ?? "5m";
  return [
    ...(clusterRole?.create === false
      ? [`--k8s-allow-namespace=${[...allowedNamespaces, names.namespace].join(",")}`]
      : []),
    ...optional("k8s-default-namespace", values.defaultNamespace),
    `--log-format=${values.logFormat ?? "fmt"}`,
    "--ssh-keygen-dir=/var/fluxd/keygen",
    "--ssh-keygen-format=RFC4716",
    `--k8s-secret-name=${names.deployKeySecret}`,
    ...optional("k8s-secret-data-key", git.secretDataKey),
    `--memcached-hostname=${memcached?.hostnameOverride ?? `${names.fullName}-memcached`}`,
    `--sync-state=${sync?.state ?? "git"}`,
    ...optional("sync-timeout", sync?.timeout),
    "--memcached-service=",
    ...gitArguments(git, gpgKeysOf(values)),
    `--git-poll-interval=${pollInterval}`,
    `--git-timeout=${git.timeout ?? "20s"}`,
    `--sync-interval=${sync?.interval ?? pollInterval}`,
    `--git-ci-skip=${git.ciSkip ?? false}`,
    ...optional("git-label", git.label),
    ...(values.sops === true ? ["--sops=true"] : []),
    ...(values.manifestGeneration === true ? ["--manifest-generation=true"] : []),
    ...registryArguments(registry),
    ...(values.token === undefined
      ? []
      : ["--connect=wss://cloud.weave.works/api/flux", `--token=${values.token}`]),
    ...garbageCollection(values),
    ...(values.additionalArgs ?? []),
  ];
}

function gitArguments(git: ChartGitValues, gpgKeys: readonly string[]): readonly string[] {
  return [
    `--git-url=${git.url ?? ""}`,
    `--git-branch=${git.branch ?? "master"}`,
    `--git-path=${git.path ?? ""}`,
    `--git-readonly=${git.readonly ?? false}`,
    `--git-user=${git.user ?? "Weave Flux"}`,
    `--git-email=${git.email ?? "support@weave.works"}`,
    ...(gpgKeys.length === 0 ? [] : [`--git-gpg-key-import=${gpgKeys.join(",")}`]),
    ...optional("git-signing-key", git.signingKey),
    git.verifySignaturesMode === undefined
      ? `--git-verify-signatures=${git.verifySignatures ?? false}`
      : `--git-verify-signatures-mode=${git.verifySignaturesMode}`,
    `--git-set-author=${git.setAuthor ?? false}`,
    ...(git.secret === true ? ["--git-secret"] : []),
  ];
}

function gpgKeysOf({ gpgKeys = {} }: ChartValues): readonly string[] {
  return [
    ...(gpgKeys.secretName === undefined ? [] : ["/root/gpg-import/private"]),
    ...(gpgKeys.configMapName === undefined ? [] : ["/root/gpg-import/public"]),
  ];
}

function registryArguments(registry: ChartRegistryValues): readonly string[] {
  return [
    `--automation-interval=${registry.automationInterval ?? "5m"}`,
    "--registry-rps=200",
    "--registry-burst=125",
    "--registry-trace=false",
    ...optional("registry-insecure-host", registry.insecureHosts),
    ...(registry.disableScanning === true ? ["--registry-disable-scanning"] : []),
    ...optional("registry-exclude-image", registry.excludeImage),
    ...optional("registry-include-image", registry.includeImage),
    ...optional("registry-ecr-region", registry.ecrRegion),
    ...(registry.dockerConfigSecret === undefined ? [] : ["--docker-config=/dockercfg/config.json"]),
  ];
}

function garbageCollection({ syncGarbageCollection: given = {} }: ChartValues): readonly string[] {
  if (given.dry === true) {
    return ["--sync-garbage-collection-dry=true"];
  }
  return given.enabled === true ? ["--sync-garbage-collection=true"] : [];
}

function optional(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${flag}=${value}`];
}
