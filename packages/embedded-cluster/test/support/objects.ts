/** The objects and paths that scenarios have in common. */

export const configMaps = "/api/v1/namespaces/$ns/configmaps";
export const pods = "/api/v1/namespaces/$ns/pods";
export const services = "/api/v1/namespaces/$ns/services";
export const deployments = "/apis/apps/v1/namespaces/$ns/deployments";

/** A ConfigMap with one key, and more metadata if any. */
export function configMap(name: string, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data: { a: "1" } };
}

/** A Pod with one container, and more of its spec if any. */
export function pod(name: string, spec: object = {}): object {
  const containers = [{ name: "main", image: "example.com/main:1" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, ...spec } };
}

/** A Deployment of such Pods, and more of its spec if any. */
export function deployment(name: string, spec: object = {}): object {
  const labels = { app: name };
  const containers = [{ name: "main", image: "example.com/main:1" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      ...spec,
    },
  };
}

/** A Service with one port, and more of its spec if any. */
export function service(name: string, spec: object = {}): object {
  const ports = [{ port: 80 }];
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports, ...spec } };
}
