import { bool, Flag, list, listType, text, texts } from "@weir/cli";
import { ownImageRepository } from "../../../src/own-image/own-image.ts";

/** The flags of `fluxctl install`: those of Flux v1, and Weir's additions. */
export function declareInstallFlags() {
  return { ...declareFluxFlags(), ...declareWeirFlags() };
}

/** The flags of one command line. */
export type InstallFlags = ReturnType<typeof declareInstallFlags>;

function declareFluxFlags() {
  const gitPath = list("git-path", {
    usage: "relative paths within the Git repo for Flux to locate Kubernetes manifests",
  });
  return {
    gitUrl: text("git-url", {
      usage:
        "URL of the Git repository to be used by Flux, e.g. git@github.com:<your username>/flux-get-started",
    }),
    gitBranch: text("git-branch", { default: "master", usage: "Git branch to be used by Flux" }),
    gitPath,
    gitPaths: oldNameOf(gitPath),
    gitLabel: text("git-label", {
      default: "flux",
      usage:
        "Git label to keep track of Flux's sync progress; overrides both --git-sync-tag and --git-notes-ref",
    }),
    gitUser: text("git-user", { default: "Flux", usage: "username to use as git committer" }),
    gitEmail: text("git-email", { usage: "email to use as git committer" }),
    gitReadonly: bool("git-readonly", { usage: "tell flux it has readonly access to the repo" }),
    manifestGeneration: bool("manifest-generation", { usage: "whether to enable manifest generation" }),
    namespace: text("namespace", { usage: "cluster namespace where to install flux" }),
    registryDisableScanning: bool("registry-disable-scanning", {
      usage: "do not scan container image registries to fill in the registry cache",
    }),
    outputDir: text("output-dir", {
      usage: "a directory in which to write individual manifests, rather than printing to stdout",
      shorthand: "o",
    }),
    addSecurityContext: bool("add-security-context", {
      default: true,
      usage: "Ensure security context information is added to the pod specs. Defaults to 'true'",
    }),
  };
}

function declareWeirFlags() {
  return {
    image: text("image", {
      usage: `container image of fluxd (default: ${ownImageRepository}, tagged with this version of Weir)`,
    }),
    createNamespace: bool("create-namespace", { usage: "also print a manifest for the namespace" }),
    allowNamespace: list("k8s-allow-namespace", {
      usage: "restrict fluxd to these namespaces; passed to fluxd as the flag of the same name",
    }),
    leastPrivilege: bool("least-privilege", {
      usage:
        "grant fluxd only the permissions that it needs in the namespaces given by --k8s-allow-namespace, instead of full access to the cluster",
    }),
    grant: list("grant", {
      usage:
        "with --least-privilege, additional kinds that fluxd can sync, e.g. roles.rbac.authorization.k8s.io",
    }),
    podSecurity: text("pod-security", {
      usage: "pod security standard for the pods to comply with: 'restricted' or empty",
    }),
    memcached: bool("memcached", {
      default: true,
      usage:
        "install memcached to cache image metadata; with --memcached=false, fluxd caches it in memory and scans again after a restart",
    }),
    memcachedNetworkPolicy: bool("memcached-network-policy", {
      usage: "also print a NetworkPolicy that allows only fluxd to connect to memcached",
    }),
    fluxdArg: texts("fluxd-arg", {
      usage: "additional argument to pass to fluxd, e.g. --sync-garbage-collection; can be repeated",
    }),
  };
}

/** The old name of a flag: its values count for the new one. */
function oldNameOf(flag: Flag<readonly string[]>): Flag<readonly string[]> {
  const parse = (text: string): readonly string[] => {
    flag.set(text);
    return [];
  };
  const declaration = {
    name: "git-paths",
    usage: flag.declaration.usage,
    deprecated: "please use --git-path (no ending s) instead",
  };
  return new Flag({ ...listType, parse }, declaration, []);
}
