import { installFiles } from "../../cmd/fluxctl/install/manifests.ts";
import { ownRootImage } from "../../src/own-image/own-image.ts";

/** A file of the folder deploy/. */
export interface DeployFile {
  readonly name: string;
  readonly content: string;
}

/**
 * The content of deploy/: the output of `fluxctl install` for the namespace "flux", with example values to
 * replace, and a kustomization to build on.
 */
export function deployFiles(version: string): readonly DeployFile[] {
  const files = installFiles({
    image: ownRootImage(version),
    namespace: "flux",
    createNamespace: true,
    gitUrl: "git@github.com:your-name/your-repository",
    gitBranch: "main",
    gitPaths: [],
    gitLabel: "flux",
    gitUser: "Flux",
    gitEmail: "flux@example.com",
    gitReadonly: false,
    manifestGeneration: false,
    registryDisableScanning: false,
    memcached: true,
    memcachedNetworkPolicy: true,
    addSecurityContext: true,
    allowedNamespaces: [],
    permissions: "everything",
    grants: [],
    podSecurity: "",
    fluxdArguments: [],
  });
  return [...files, { name: "kustomization.yaml", content: kustomization(files) }];
}

function kustomization(files: readonly DeployFile[]): string {
  return `resources:\n${files.map(({ name }) => `  - ${name}\n`).join("")}`;
}
