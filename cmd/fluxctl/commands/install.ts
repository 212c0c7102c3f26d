import { bool, flagsOf, list, text } from "../../../src/base/cli/declare.ts";
import { Flag } from "../../../src/base/cli/flag.ts";
import { listType } from "../../../src/base/cli/flag-types.ts";
import { type Command, refuseArguments, UsageError } from "../command.ts";
import { NotSupportedYetError } from "../not-yet.ts";

const banner = `**Flux v1 is deprecated, please upgrade to v2 as soon as possible!**

New users of Flux can Get Started here:
https://fluxcd.io/flux/get-started/

Existing users can upgrade using the Migration Guide:
https://fluxcd.io/flux/migration/

`;

const example = `# Install Flux and make it use Git repository git@github.com:<your username>/flux-get-started
fluxctl install --git-url 'git@github.com:<your username>/flux-get-started' --git-email=<your_git_email> | kubectl -f -`;

/** `fluxctl install`: manifests of the daemon. It judges its arguments, and cannot do more yet. */
export function installCommand(): Command {
  const flags = declareFlags();
  return {
    use: "install",
    example,
    flags: flagsOf(flags),
    run(args, { err }) {
      err(banner);
      refuseArguments(args);
      for (const flag of [flags.gitUrl, flags.gitEmail]) {
        if (flag.value === "") {
          throw new UsageError(`please supply a valid --${flag.declaration.name} argument`);
        }
      }
      throw new NotSupportedYetError(
        "install",
        "keep the manifests of your install of Flux v1, and change the image in them",
      );
    },
  };
}

function declareFlags() {
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
