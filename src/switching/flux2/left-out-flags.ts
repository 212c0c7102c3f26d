import { allowedNamespacesOf } from "../../fluxd-flags/allowed-namespaces.ts";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { isSshKeyPath } from "../../fluxd-flags/signing-key.ts";
import { verifyModeOf } from "../../fluxd-flags/verify-mode.ts";
import type { LeftOut } from "./exported-object.ts";

/** What happens to a flag. */
type Fate =
  /** A field of an exported object has its value. */
  | "exported"
  /** It's only about how fluxd itself runs. */
  | "of fluxd alone"
  | Loss;

/** Flux v2 has no equivalent. */
interface Loss extends Omit<LeftOut, "subject"> {
  /** True if it matters for this install. */
  readonly matters: (flags: FluxdFlags) => boolean;
}

/** The flags of an install for which Flux v2 has no field. */
export function leftOutFlags(flags: FluxdFlags): readonly LeftOut[] {
  return (Object.keys(fates) as (keyof FluxdFlags)[]).flatMap((key) => {
    const fate = fates[key];
    if (fate === "exported" || fate === "of fluxd alone" || !fate.matters(flags)) {
      return [];
    }
    const { reason, remedy } = fate;
    return [{ subject: `--${flags[key].declaration.name}`, reason, remedy }];
  });
}

const programFates = {
  logFormat: "of fluxd alone",
  listen: "of fluxd alone",
  listenMetrics: "of fluxd alone",
  version: "of fluxd alone",
  memcachedHostname: "of fluxd alone",
  memcachedPort: "of fluxd alone",
  memcachedTimeout: "of fluxd alone",
  memcachedService: "of fluxd alone",
  registryCacheExpiry: "of fluxd alone",
  registryCacheFile: "of fluxd alone",
  registryRps: "of fluxd alone",
  registryBurst: "of fluxd alone",
  registryTrace: "of fluxd alone",
  kubernetesKubectl: "of fluxd alone",
  k8sInCluster: "of fluxd alone",
  k8sVerbosity: "of fluxd alone",
  kubeConfig: "of fluxd alone",
  k8sSecretVolumeMountPath: "of fluxd alone",
  sshKeygenBits: "of fluxd alone",
  sshKeygenType: "of fluxd alone",
  sshKeygenFormat: "of fluxd alone",
  sshKeygenDir: "of fluxd alone",
  rpcTimeout: "of fluxd alone",
  listenHost: "of fluxd alone",
  listenTokenFile: "of fluxd alone",
  embeddedCluster: "of fluxd alone",
} as const satisfies Partial<Record<keyof FluxdFlags, Fate>>;

const gitFates = {
  gitUrl: "exported",
  gitBranch: "exported",
  gitPath: "exported",
  gitUser: "exported",
  gitEmail: "exported",
  gitCiSkip: "exported",
  gitCiSkipMessage: "exported",
  gitPollInterval: "exported",
  gitTimeout: "exported",
  gitPushRetries: "of fluxd alone",
  gitGpgKeyImport: "exported",
  gitSigningKey: {
    matters: ({ gitSigningKey }) => isSshKeyPath(gitSigningKey.value),
    reason: "Flux v2 signs commits only with OpenPGP keys",
    remedy: "create an OpenPGP key, and name its Secret in the signingKey of the ImageUpdateAutomation",
  },
  k8sSecretName: "exported",
  k8sSecretDataKey: "exported",
  gitReadonly: {
    matters: ({ gitReadonly }) => gitReadonly.value,
    reason: "fluxd must not push to git, so no ImageUpdateAutomation is exported",
    remedy: "nothing to do; give Flux v2 a deploy key that can only read",
  },
  gitSetAuthor: {
    matters: ({ gitSetAuthor }) => gitSetAuthor.value,
    reason: "commits of Flux v2 always have the author of the ImageUpdateAutomation",
    remedy: "people who release or lock something commit to git themselves",
  },
  gitLabel: markFate(({ gitLabel }) => gitLabel.isSet && gitLabel.value !== ""),
  gitSyncTag: markFate(({ gitSyncTag }) => gitSyncTag.isSet && gitSyncTag.value !== "flux-sync"),
  gitNotesRef: markFate(({ gitNotesRef }) => gitNotesRef.isSet && gitNotesRef.value !== "flux"),
  gitSecret: {
    matters: ({ gitSecret }) => gitSecret.value,
    reason: "Flux v2 can't decrypt files with git-secret; it would apply them as they are, or fail",
    remedy: "encrypt these files with SOPS before you switch, and use decryption in the Kustomization",
  },
  gitVerifySignatures: "exported",
  gitVerifySignaturesMode: {
    matters: (flags) => (verifyModeOf(flags) ?? "none") !== "none",
    reason: "Flux v2 verifies only the newest commit, and doesn't verify fluxd's sync tag",
    remedy: "protect the branch on the git server, so that nobody can push unsigned commits",
  },
  gitSshAllowedSigners: {
    matters: (flags) => flags.gitSshAllowedSigners.value !== "" && (verifyModeOf(flags) ?? "none") !== "none",
    reason: "the exported GitRepository verifies only OpenPGP signatures",
    remedy: "sign commits with OpenPGP keys, or protect the branch on the git server",
  },
} as const satisfies Partial<Record<keyof FluxdFlags, Fate>>;

const syncFates = {
  syncInterval: "exported",
  syncTimeout: "exported",
  syncGarbageCollection: "exported",
  sops: "exported",
  syncGarbageCollectionDry: {
    matters: ({ syncGarbageCollectionDry }) => syncGarbageCollectionDry.value,
    reason: "Flux v2 can't log what it would delete; the Kustomization has prune: false",
    remedy: "run `flux diff kustomization` before you set prune to true",
  },
  syncState: {
    matters: ({ syncState }) => syncState.value === "secret",
    reason: "Flux v2 keeps what it applied in the status of the Kustomization",
    remedy: "nothing to do; fluxd's Secret can be deleted with fluxd",
  },
  manifestGeneration: {
    matters: ({ manifestGeneration }) => manifestGeneration.value,
    reason: "Flux v2 runs no generators from .flux.yaml files",
    remedy:
      "if they run kustomize build, set the path of the Kustomization to that folder; otherwise generate the manifests in CI and commit them. Move the content of patchUpdated files into the manifests",
  },
  manifestGenerationCache: "of fluxd alone",
  syncOnDrift: {
    matters: ({ syncOnDrift }) => syncOnDrift.value,
    reason: "Flux v2 reverts drift at each interval of the Kustomization, not at once",
    remedy: "set a shorter interval in the Kustomization",
  },
  syncQuarantine: {
    matters: ({ syncQuarantine }) => syncQuarantine.value,
    reason: "in Flux v2, a file that can't be parsed stops the whole Kustomization",
    remedy: "check manifests in CI, and split the repository into several Kustomizations",
  },
  syncPreflight: "of fluxd alone",
  syncPruneLimit: {
    matters: ({ syncPruneLimit }) => syncPruneLimit.value !== "",
    reason: "Flux v2 has no limit for deletions",
    remedy:
      "add kustomize.toolkit.fluxcd.io/prune: disabled to the manifests of resources that must not be deleted",
  },
  syncTakeOver: "of fluxd alone",
  writeBackStyle: "of fluxd alone",
  k8sNamespaceWhitelist: "exported",
  k8sAllowNamespace: {
    matters: (flags) => allowedNamespacesOf(flags).length > 0,
    reason:
      "only its service account can restrict a Kustomization, which then fails on manifests in other namespaces",
    remedy:
      "create a service account with a Role in each allowed namespace, name it in serviceAccountName, and move other manifests out of the path",
  },
  k8sDefaultNamespace: {
    matters: ({ k8sDefaultNamespace }) => k8sDefaultNamespace.value !== "",
    reason: "Flux v2 refuses objects without a namespace; targetNamespace would move all objects",
    remedy: "add metadata.namespace to the manifests that have none",
  },
  k8sUnsafeExcludeResource: "of fluxd alone",
} as const satisfies Partial<Record<keyof FluxdFlags, Fate>>;

const registryFates = {
  automationInterval: "exported",
  registryPollInterval: "exported",
  registryInsecureHost: "exported",
  registryDisableScanning: {
    matters: ({ registryDisableScanning }) => registryDisableScanning.value,
    reason: "fluxd scans no registries, so nothing is exported for images",
    remedy: "nothing to do",
  },
  // Reported for each image that they exclude.
  registryExcludeImage: "exported",
  registryIncludeImage: "exported",
  registryUseLabels: "of fluxd alone",
  registryEcrRegion: registryScopeFate(({ registryEcrRegion }) => registryEcrRegion.value.length > 0),
  registryEcrIncludeId: registryScopeFate(
    ({ registryEcrIncludeId }) => registryEcrIncludeId.value.length > 0,
  ),
  registryEcrExcludeId: registryScopeFate(
    ({ registryEcrExcludeId: { isSet, value, default: usual } }) => isSet && value.join() !== usual.join(),
  ),
  registryRequire: "of fluxd alone",
  dockerConfig: {
    matters: ({ dockerConfig }) => dockerConfig.value !== "",
    reason: "Flux v2 has no credentials for all registries",
    remedy:
      "create a Secret of type kubernetes.io/dockerconfigjson from that file, and name it in secretRef of each ImageRepository that needs it",
  },
} as const satisfies Partial<Record<keyof FluxdFlags, Fate>>;

const serviceFates = {
  connect: {
    matters: ({ connect }) => connect.value !== "",
    reason: "Flux v2 connects to no upstream service",
    remedy: "use Provider and Alert of notification-controller to send events",
  },
  token: "of fluxd alone",
  listenWebhooks: webhookFate(({ listenWebhooks }) => listenWebhooks.value !== ""),
  webhooksConfig: "of fluxd alone",
} as const satisfies Partial<Record<keyof FluxdFlags, Fate>>;

const fates: Readonly<Record<keyof FluxdFlags, Fate>> = {
  ...gitFates,
  ...syncFates,
  ...registryFates,
  ...serviceFates,
  ...programFates,
};

function markFate(matters: Loss["matters"]): Loss {
  return {
    matters,
    reason: "Flux v2 writes no sync tag and no notes",
    remedy: "nothing to do; they stay in git, and fluxd needs them if you switch back",
  };
}

function registryScopeFate(matters: Loss["matters"]): Loss {
  return {
    matters,
    reason: "Flux v2 scans only the repositories that an ImageRepository names",
    remedy: "delete each ImageRepository that must not be scanned",
  };
}

function webhookFate(matters: Loss["matters"]): Loss {
  return {
    matters,
    reason: "fluxd receives webhooks itself",
    remedy: "create a Receiver of notification-controller for each of them, with its own URL and Secret",
  };
}
