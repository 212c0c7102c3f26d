/**
 * The manifests of an installation: takes parameters, and returns files with YAML text. Without Weir's
 * additions, they're the same as Flux v1's, byte for byte including comments, because people store and
 * compare them.
 */
import { accountFile } from "./account.ts";
import { deploymentFile } from "./deployment.ts";
import { memcachedDeploymentFile, memcachedNetworkPolicyFile, memcachedServiceFile } from "./memcached.ts";
import type { InstallParameters } from "./parameters.ts";
import { yamlWord } from "./yaml-word.ts";

/** A file of an installation; each of its documents begins with a separator. */
export interface InstallFile {
  readonly name: string;
  readonly content: string;
}

/** The files, in the best order to apply them. */
export function installFiles(parameters: InstallParameters): readonly InstallFile[] {
  return [
    ...(parameters.createNamespace ? [{ name: "flux-ns.yaml", content: namespaceFile(parameters) }] : []),
    { name: "flux-account.yaml", content: accountFile(parameters) },
    { name: "flux-secret.yaml", content: secretFile(parameters) },
    ...(hasMemcached(parameters)
      ? [
          { name: "memcache-svc.yaml", content: memcachedServiceFile(parameters) },
          { name: "memcache-dep.yaml", content: memcachedDeploymentFile(parameters) },
          ...(parameters.memcachedNetworkPolicy
            ? [{ name: "memcache-netpol.yaml", content: memcachedNetworkPolicyFile(parameters) }]
            : []),
        ]
      : []),
    { name: "flux-deployment.yaml", content: deploymentFile(parameters) },
  ];
}

/** Without image scanning, memcached isn't used. */
function hasMemcached({ memcached, registryDisableScanning }: InstallParameters): boolean {
  return memcached && !registryDisableScanning;
}

function namespaceFile({ namespace }: InstallParameters): string {
  return `---
apiVersion: v1
kind: Namespace
metadata:
  name: ${yamlWord(namespace)}
`;
}

/**
 * The Secret for fluxd's SSH key. It's created empty, because fluxd may have permission to change it but not
 * to create it.
 */
function secretFile({ namespace }: InstallParameters): string {
  return `---
apiVersion: v1
kind: Secret
metadata:
  name: flux-git-deploy
  namespace: ${yamlWord(namespace)}
type: Opaque
`;
}
