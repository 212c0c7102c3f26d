import { bool, Flag, list, listType, text, texts } from "@weir/cli";

/** The flags of `fluxctl install`: those of Flux v1, and what Weir adds. */
export function declareInstallFlags() {
  return { ...declareFluxFlags(), ...declareWeirFlags() };
}

/** The flags of one command line. */
export type InstallFlags = ReturnType<typeof declareInstallFlags>;

function declareFluxFlags() {
  const gitPath = list(
    "git-path",
    [],
    "relative paths within the Git repo for Flux to locate Kubernetes manifests",
  );
  return {
    gitUrl: text(
      "git-url",
      "",
      "URL of the Git repository to be used by Flux, e.g. git@github.com:<your username>/flux-get-started",
    ),
    gitBranch: text("git-branch", "master", "Git branch to be used by Flux"),
    gitPath,
    gitPaths: oldNameOf(gitPath),
    gitLabel: text(
      "git-label",
      "flux",
      "Git label to keep track of Flux's sync progress; overrides both --git-sync-tag and --git-notes-ref",
    ),
    gitUser: text("git-user", "Flux", "username to use as git committer"),
    gitEmail: text("git-email", "", "email to use as git committer"),
    gitReadonly: bool("git-readonly", false, "tell flux it has readonly access to the repo"),
    manifestGeneration: bool("manifest-generation", false, "whether to enable manifest generation"),
    namespace: text("namespace", "", "cluster namespace where to install flux"),
    registryDisableScanning: bool(
      "registry-disable-scanning",
      false,
      "do not scan container image registries to fill in the registry cache",
    ),
    outputDir: text(
      "output-dir",
      "",
      "a directory in which to write individual manifests, rather than printing to stdout",
      { shorthand: "o" },
    ),
    addSecurityContext: bool(
      "add-security-context",
      true,
      "Ensure security context information is added to the pod specs. Defaults to 'true'",
    ),
  };
}

function declareWeirFlags() {
  return {
    image: text(
      "image",
      "",
      "container image of fluxd, where it is not docker.io/fluxcd/flux with the tag of this version of Weir",
    ),
    createNamespace: bool("create-namespace", false, "also print the namespace itself"),
    allowNamespace: list(
      "k8s-allow-namespace",
      [],
      "restrict fluxd to these namespaces, as its flag of the same name does",
    ),
    leastPrivilege: bool(
      "least-privilege",
      false,
      "permit fluxd what it needs in the namespaces of --k8s-allow-namespace, instead of everything in the cluster",
    ),
    grant: list(
      "grant",
      [],
      "with --least-privilege, further kinds that fluxd may sync, e.g. roles.rbac.authorization.k8s.io",
    ),
    podSecurity: text(
      "pod-security",
      "",
      "pod security standard that the pods keep to; 'restricted' or nothing",
    ),
    memcached: bool(
      "memcached",
      true,
      "install memcached for image metadata; with --memcached=false fluxd keeps it itself, and scans anew after a restart",
    ),
    memcachedNetworkPolicy: bool(
      "memcached-network-policy",
      false,
      "also print a NetworkPolicy that lets nobody but fluxd reach memcached",
    ),
    fluxdArg: texts(
      "fluxd-arg",
      "further argument of fluxd, e.g. --sync-garbage-collection; may be repeated",
    ),
  };
}

/** A flag that was once called otherwise: what is given by the old name counts for the new one. */
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
