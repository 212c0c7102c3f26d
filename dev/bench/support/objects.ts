import type { KubeObject } from "@weir/kube";

const namespaces = 10;

/**
 * Creates `count` objects in ten namespaces, one third each Deployments, Services, and ConfigMaps, and the
 * namespaces.
 */
export function makeObjects(count: number): readonly KubeObject[] {
  const objects = Array.from({ length: count }, (_, index) => makeObject(index));
  return [...namespaceObjects(), ...objects];
}

/** The namespace of the object with that index. */
export function namespaceOf(index: number): string {
  return `bench-${index % namespaces}`;
}

function namespaceObjects(): readonly KubeObject[] {
  return Array.from({ length: namespaces }, (_, index) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: `bench-${index}` },
  }));
}

function makeObject(index: number): KubeObject {
  const makers = [makeDeployment, makeService, makeConfigMap];
  return (makers[index % makers.length] ?? makeConfigMap)(index);
}

function meta(kind: string, index: number): { readonly name: string; readonly namespace: string } {
  return { name: `${kind}-${index}`, namespace: namespaceOf(index) };
}

/** A typical Deployment with a configurable image tag. */
export function makeDeployment(index: number, tag = "1.0.0"): KubeObject {
  const metadata = meta("app", index);
  const labels = { app: metadata.name, team: `team-${index % 7}` };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...metadata, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: metadata.name } },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "main",
              image: `registry.example.test/team/app-${index % 50}:${tag}`,
              ports: [{ name: "http", containerPort: 8080 }],
              env: [
                { name: "LOG_LEVEL", value: "info" },
                { name: "INDEX", value: String(index) },
              ],
              resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
              readinessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 5 },
            },
          ],
        },
      },
    },
  };
}

function makeService(index: number): KubeObject {
  const metadata = meta("svc", index);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { selector: { app: `app-${index - 1}` }, ports: [{ name: "http", port: 80, targetPort: "http" }] },
  };
}

function makeConfigMap(index: number): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: meta("conf", index),
    data: {
      "app.properties": `index=${index}\nmode=production\ncache.size=256\n`,
      greeting: `hello from ${index}`,
    },
  };
}
