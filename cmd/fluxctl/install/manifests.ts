/**
 * The documents of an installation: parameters in, files with YAML text out. Without what Weir adds they are
 * those of Flux v1, byte for byte with their comments, since people keep them and compare them.
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

/** The files in the order in which they are best applied. */
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

/** Nobody asks memcached where images are not scanned. */
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

/** Where fluxd keeps its SSH key; it is made empty, since fluxd may be allowed to change it, but not to make it. */
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
