import { bool, duration, float, int, list, optionalText, optionalUint, text } from "@weir/cli";

const seconds = 1000;
const minutes = 60 * seconds;

/** The value of --embedded-cluster without a folder. */
export const inMemory = ":memory:";

/** fluxd's flags by subject: all 68 of Flux v1, with its defaults and help, and Weir's own. `home`: see below. */
export function declareFlagGroups(home: string) {
  return {
    program: programFlags(),
    git: gitFlags(),
    signing: signingFlags(),
    sync: syncFlags(),
    cache: cacheFlags(),
    registry: registryFlags(),
    kubernetes: kubernetesFlags(home),
    ssh: sshFlags(),
    upstream: upstreamFlags(),
    own: ownFlags(),
  };
}

/** All of fluxd's flags. `home` is the home folder; "" if there's none. */
export function declareFluxdFlags(home: string) {
  const { program, git, signing, sync, cache, registry, kubernetes, ssh, upstream, own } =
    declareFlagGroups(home);
  return {
    ...program,
    ...git,
    ...signing,
    ...sync,
    ...cache,
    ...registry,
    ...kubernetes,
    ...ssh,
    ...upstream,
    ...own,
  };
}

/** The flags of one command line. */
export type FluxdFlags = ReturnType<typeof declareFluxdFlags>;

function programFlags() {
  return {
    logFormat: text("log-format", { default: "fmt", usage: "Change the log format." }),
    listen: text("listen", {
      default: ":3030",
      usage: "Listen address where /metrics and API will be served",
      shorthand: "l",
    }),
    listenMetrics: text("listen-metrics", { usage: "Listen address for /metrics endpoint" }),
    version: bool("version", { usage: "Get version number" }),
  };
}

function gitFlags() {
  return {
    gitUrl: text("git-url", {
      usage: "URL of git repo with Kubernetes manifests; e.g., git@github.com:fluxcd/flux-get-started",
    }),
    gitBranch: text("git-branch", {
      default: "master",
      usage: "Branch of git repo to use for Kubernetes manifests",
    }),
    gitPath: list("git-path", { usage: "Relative paths within the git repo to locate Kubernetes manifests" }),
    gitReadonly: bool("git-readonly", {
      usage: "Use to prevent Flux from pushing changes to git; implies --sync-state=secret",
    }),
    gitUser: text("git-user", { default: "Weave Flux", usage: "Username to use as git committer" }),
    gitEmail: text("git-email", { default: "support@weave.works", usage: "Email to use as git committer" }),
    gitSetAuthor: bool("git-set-author", {
      usage:
        "If set, the author of git commits will reflect the user who initiated the commit and will differ from the git committer.",
    }),
    gitLabel: text("git-label", {
      usage: "Label to keep track of sync progress; overrides both --git-sync-tag and --git-notes-ref",
    }),
    gitSyncTag: text("git-sync-tag", {
      default: "flux-sync",
      usage: "Tag to use to mark sync progress for this cluster (only relevant when --sync-state=git)",
    }),
    gitNotesRef: text("git-notes-ref", {
      default: "flux",
      usage: "Ref to use for keeping commit annotations in git notes",
    }),
    gitCiSkip: bool("git-ci-skip", {
      usage: `Append "[ci skip]" to commit messages so that CI will skip builds`,
    }),
    gitCiSkipMessage: text("git-ci-skip-message", {
      usage:
        "Additional text for commit messages, useful for skipping builds in CI. Use this to supply specific text, or set --git-ci-skip",
    }),
    gitPollInterval: duration("git-poll-interval", {
      default: 5 * minutes,
      usage: "Period at which to poll git repo for new commits",
    }),
    gitTimeout: duration("git-timeout", {
      default: 20 * seconds,
      usage: "Duration after which git operations time out",
    }),
  };
}

function signingFlags() {
  return {
    gitSecret: bool("git-secret", {
      usage:
        "If set, git-secret will be run on every git checkout. A gpg key must be imported using  --git-gpg-key-import or by mounting a keyring containing it directly",
    }),
    sops: bool("sops", {
      usage:
        "If set, decrypt SOPS-encrypted manifest files with before syncing them. Provide decryption keys in the same way you would provide them for the sops binary. Be aware that manifests generated with .flux.yaml are not automatically decrypted",
    }),
    gitGpgKeyImport: list("git-gpg-key-import", {
      usage: "Keys at the paths given will be imported for use of signing and verifying commits",
    }),
    gitSigningKey: text("git-signing-key", {
      usage: "If set, commits Flux makes will be signed with this GPG key",
    }),
    gitVerifySignatures: bool("git-verify-signatures", {
      usage: "(deprecated) Sets --git-verify-signatures-mode=all when set",
      deprecated: "Changed to --git-verify-signatures-mode, use that instead",
    }),
    gitVerifySignaturesMode: text("git-verify-signatures-mode", {
      usage:
        "If git-verify-signatures is set, which strategy to use for signature verification (one of none,all,first-parent)",
    }),
  };
}

function syncFlags() {
  return {
    syncInterval: duration("sync-interval", {
      default: 5 * minutes,
      usage: "Apply config in git to cluster at least this often, even if there are no new commits",
    }),
    syncTimeout: duration("sync-timeout", {
      default: minutes,
      usage: "Duration after which sync operations time out",
    }),
    syncGarbageCollection: bool("sync-garbage-collection", {
      usage: "Delete resources that were created by fluxd, but are no longer in the git repo",
    }),
    syncGarbageCollectionDry: bool("sync-garbage-collection-dry", {
      usage:
        "Only log what would be garbage collected, rather than deleting. Implies --sync-garbage-collection",
    }),
    syncState: text("sync-state", {
      default: "git",
      usage: "Method used by flux for storing state (one of {git,secret})",
    }),
    manifestGeneration: bool("manifest-generation", {
      usage: "Search for .flux.yaml files to generate manifests",
    }),
  };
}

function cacheFlags() {
  return {
    memcachedHostname: text("memcached-hostname", {
      default: "memcached",
      usage: "Hostname for memcached service.",
    }),
    memcachedPort: int("memcached-port", { default: 11211, usage: "Memcached service port." }),
    memcachedTimeout: duration("memcached-timeout", {
      default: seconds,
      usage: "Maximum time to wait before giving up on memcached requests.",
    }),
    memcachedService: text("memcached-service", {
      default: "memcached",
      usage: "SRV service used to discover memcache servers.",
    }),
    registryCacheExpiry: duration("registry-cache-expiry", {
      usage: "",
      deprecated: "No longer used; cache entries are expired adaptively according to how often they change",
    }),
  };
}

function registryFlags() {
  return {
    registryDisableScanning: bool("registry-disable-scanning", {
      usage: "Do not scan container image registries to fill in the registry cache",
    }),
    automationInterval: duration("automation-interval", {
      default: 5 * minutes,
      usage: "Period at which to check for image updates for automated workloads",
    }),
    registryPollInterval: duration("registry-poll-interval", {
      default: 5 * minutes,
      usage: "Period at which to check for updated images",
      deprecated: "Changed to --automation-interval, use that instead",
    }),
    registryRps: float("registry-rps", {
      default: 50,
      usage: "Maximum registry requests per second per host",
    }),
    registryBurst: int("registry-burst", {
      default: 10,
      usage: "Maximum number of warmer connections to remote and memcache",
    }),
    registryTrace: bool("registry-trace", { usage: "Output trace of image registry requests to log" }),
    registryInsecureHost: list("registry-insecure-host", {
      usage:
        "Let these registry hosts skip TLS host verification and fall back to using HTTP instead of HTTPS; this allows man-in-the-middle attacks, so use with extreme caution",
    }),
    registryExcludeImage: list("registry-exclude-image", {
      default: ["k8s.gcr.io/*"],
      usage:
        "Do not scan images that match these glob expressions; the default is to exclude the 'k8s.gcr.io/*' images",
    }),
    registryIncludeImage: list("registry-include-image", {
      usage:
        "If a value or values is given, scan _only_ images matching the glob pattern(s) (less any explicitly excluded)",
    }),
    registryUseLabels: list("registry-use-labels", {
      default: ["index.docker.io/weaveworks/*", "index.docker.io/fluxcd/*"],
      usage:
        "Use the timestamp (RFC3339) from labels for (canonical) image refs that match these glob expression",
    }),
    ...cloudRegistryFlags(),
  };
}

function cloudRegistryFlags() {
  return {
    registryEcrRegion: list("registry-ecr-region", {
      usage:
        "Include just these AWS regions when scanning images in ECR; when not supplied, the cluster's region will included if it can be detected through the AWS API",
    }),
    registryEcrIncludeId: list("registry-ecr-include-id", {
      usage:
        "Restrict ECR scanning to these AWS account IDs; if not supplied, all account IDs that aren't excluded may be scanned",
    }),
    registryEcrExcludeId: list("registry-ecr-exclude-id", {
      default: ["602401143452", "918309763551"],
      usage:
        "Do not scan ECR for images in these AWS account IDs; the default is to exclude the EKS system accounts",
    }),
    registryRequire: list("registry-require", {
      usage:
        "Exit with an error if auto-authentication with any of the given registries is not possible (possible values: {ecr})",
    }),
    dockerConfig: text("docker-config", {
      usage: "Path to a docker config to use for image registry credentials",
    }),
  };
}

function kubernetesFlags(home: string) {
  return {
    kubernetesKubectl: text("kubernetes-kubectl", { usage: "optional, Explicit path to kubectl tool" }),
    k8sInCluster: bool("k8s-in-cluster", {
      default: true,
      usage: "Set this to true if fluxd is deployed as a container inside Kubernetes",
      deprecated: "No longer used",
    }),
    k8sNamespaceWhitelist: list("k8s-namespace-whitelist", {
      usage:
        "Restrict the view of the cluster to the namespaces listed. All namespaces are included if this is not set",
      deprecated: "Changed to --k8s-allow-namespace, use that instead",
    }),
    k8sAllowNamespace: list("k8s-allow-namespace", {
      usage: "Restrict all operations to the provided namespaces",
    }),
    k8sDefaultNamespace: text("k8s-default-namespace", {
      usage: "The namespace to use for resources where a namespace is not specified",
    }),
    k8sUnsafeExcludeResource: list("k8s-unsafe-exclude-resource", {
      default: ["*metrics.k8s.io/*", "webhook.certmanager.k8s.io/*", "v1/Event"],
      usage:
        "Do not attempt to obtain cluster resources whose group/version/kind matches these glob expressions. Potentially unsafe, please read its documentation first",
    }),
    k8sVerbosity: int("k8s-verbosity", { usage: "Klog verbosity level" }),
    kubeConfig: text("kube-config", {
      default: home === "" ? "" : `${home.replace(/\/+$/, "")}/.kube/config`,
      usage: "The absolute path of the k8s config file.",
      deprecated: "Please use the KUBECONFIG environment variable instead",
    }),
  };
}

function sshFlags() {
  return {
    k8sSecretName: text("k8s-secret-name", {
      default: "flux-git-deploy",
      usage: "Name of the k8s secret used to store the private SSH key",
    }),
    k8sSecretVolumeMountPath: text("k8s-secret-volume-mount-path", {
      default: "/etc/fluxd/ssh",
      usage: "Mount location of the k8s secret storing the private SSH key",
    }),
    k8sSecretDataKey: text("k8s-secret-data-key", {
      default: "identity",
      usage: "Data key holding the private SSH key within the k8s secret",
    }),
    sshKeygenBits: optionalUint("ssh-keygen-bits", {
      usage: "-b argument to ssh-keygen (default unspecified)",
    }),
    sshKeygenType: text("ssh-keygen-type", { usage: "-t argument to ssh-keygen (default unspecified)" }),
    sshKeygenFormat: text("ssh-keygen-format", { usage: "-m argument to ssh-keygen (default RFC4716)" }),
    sshKeygenDir: text("ssh-keygen-dir", {
      usage: "Directory, ideally on a tmpfs volume, in which to generate new SSH keys when necessary",
    }),
  };
}

function upstreamFlags() {
  return {
    connect: text("connect", {
      usage: "Connect to an upstream service e.g., Weave Cloud, at this base address",
    }),
    token: text("token", { usage: "Authentication token for upstream service" }),
    rpcTimeout: duration("rpc-timeout", {
      default: 10 * seconds,
      usage: "Maximum time an operation requested by the upstream may take",
    }),
  };
}

/** Flags that Flux v1 doesn't have; all off by default. */
function ownFlags() {
  return {
    embeddedCluster: optionalText("embedded-cluster", {
      bareText: inMemory,
      usage:
        "Sync to a cluster embedded in this process instead of a real one, for evaluation and testing; stored in the `directory`, if specified",
    }),
    gitPushRetries: int("git-push-retries", {
      usage:
        "If a push is refused because somebody else pushed to the branch first, make the change again on the new head and push it, up to this many times; a change to a workload that was changed in the meantime isn't made",
    }),
    gitSshAllowedSigners: text("git-ssh-allowed-signers", {
      usage:
        "Path to a `file` with the SSH keys that may sign commits, in the format of ssh-keygen's allowed_signers; for use with --git-verify-signatures-mode",
    }),
    listenHost: list("listen-host", {
      usage:
        "Additional host name that requests to the API can use, such as the name of a reverse proxy that's opened in a browser; IP addresses, localhost, and cluster-internal names are always allowed",
    }),
    listenTokenFile: text("listen-token-file", {
      usage:
        "Require the token in this `file` for all requests except /v11/ping, /v6/identity.pub, and /metrics; use fluxctl --token to send it",
    }),
    listenWebhooks: text("listen-webhooks", {
      usage:
        "Listen address for webhooks from image registries and git hosts, such as :8080; requires --webhooks-config",
    }),
    manifestGenerationCache: bool("manifest-generation-cache", {
      usage:
        "Cache the output of generators in .flux.yaml files until their commands, or the files under their git path, change; use only with generators that have no other inputs",
    }),
    registryCacheFile: text("registry-cache-file", {
      usage:
        "Keep image metadata in this file, instead of in memory, while memcached isn't available; it survives restarts",
    }),
    syncOnDrift: bool("sync-on-drift", {
      usage: "Revert changes to live objects as soon as they differ from git, instead of at the next sync",
    }),
    syncPreflight: bool("sync-preflight", {
      usage:
        "Let the API server check all changes of a sync first, and apply none of them if it refuses any; resources that depend on a namespace or kind created by the same sync can't be checked",
    }),
    syncPruneLimit: text("sync-prune-limit", {
      usage:
        "Delete nothing if a sync would delete more resources than this: a number, or a percentage of the resources that it manages, such as 25%; use fluxctl confirm --prune to allow it once",
    }),
    syncTakeOver: bool("sync-take-over", {
      usage:
        "Also apply resources that another tool, such as Helm or Argo CD, manages in the cluster; otherwise, they are reported as errors unless Flux or kubectl apply has applied them before",
    }),
    syncQuarantine: bool("sync-quarantine", {
      usage:
        "Skip manifest files that can't be parsed, and sync the others; resources defined in skipped files are left unchanged in the cluster",
    }),
    webhooksConfig: text("webhooks-config", {
      usage:
        "Path to a `file` that configures the webhooks to accept, in the format of flux-recv's fluxrecv.yaml",
    }),
    writeBackStyle: text("write-back-style", {
      default: "flux",
      usage:
        "How to write edited manifests: in Flux's layout, or with minimal changes to the file (one of {flux,minimal})",
    }),
  };
}
