/** Connects to API servers: kubeconfigs and credentials, connections, and port forwarding. */

export { credentialsOf, type KubeConfigOptions, loadKubeConfig } from "./kube-config.ts";
export {
  currentNamespace,
  KubeConfigError,
  type KubeConfigErrorOptions,
  type KubeConfigFile,
  type NamedEntries,
} from "./kube-config-file.ts";
export { defaultPaths, type KubeConfigSource, readKubeConfig } from "./kube-config-source.ts";
export { parseKubeConfig } from "./parse-kube-config.ts";
export { type PortForward, type PortForwardOptions, portForward } from "./port-forward.ts";
export { createRestClient, type RestClientOptions } from "./rest-client.ts";
