import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { chartAccount } from "./chart-account.ts";
import { chartArguments } from "./chart-arguments.ts";
import { chartMounts } from "./chart-mounts.ts";
import { type ChartNames, type ChartValues, chartNames } from "./chart-values.ts";
import { type FluxInstall, fluxdPodSpec, fluxImage } from "./install.ts";

export type { ChartValues } from "./chart-values.ts";

/**
 * What the Helm chart fluxcd/flux 1.13 makes of these values. Whatever the values, fluxd gets KUBECONFIG, and by default
 * that names a file with one context whose cluster is "".
 */
export function chartInstall(values: ChartValues = {}): FluxInstall {
  const install = rendered(values);
  return values.appliedBy === "template"
    ? install
    : { ...install, objects: install.objects.map((object) => ownedByHelm(object, chartNames(values))) };
}

/** What Helm 3 adds to each object of a release. */
function ownedByHelm(object: KubeObject, { release, namespace }: ChartNames): KubeObject {
  const { labels, annotations } = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...labels, "app.kubernetes.io/managed-by": "Helm" },
      annotations: {
        ...annotations,
        "meta.helm.sh/release-name": release,
        "meta.helm.sh/release-namespace": namespace,
      },
    },
  };
}

function rendered(values: ChartValues): FluxInstall {
  const names = chartNames(values);
  const { namespace, fullName, serviceAccount, deployKeySecret } = names;
  const hasMemcached = (values.memcached?.enabled ?? true) && !(values.registry?.disableScanning ?? false);
  return {
    namespace,
    deployment: fullName,
    container: "flux",
    podLabels: names.podLabels,
    serviceAccount,
    deployKeySecret,
    objects: [
      ...chartAccount(values, names),
      ...(values.git?.secretName === undefined ? [secret(names, deployKeySecret)] : []),
      ...configurations(values, names),
      service(names),
      ...(hasMemcached ? memcached(names) : []),
      deployment(values, names),
      ...(values.serviceMonitor === true ? [serviceMonitor(names)] : []),
    ],
  };
}

function secret({ namespace }: ChartNames, name: string, data?: JsonObject): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    ...(data === undefined ? {} : { data }),
  };
}

/** The kubeconfig without a cluster, and what was given for ssh and git. */
function configurations(values: ChartValues, names: ChartNames): readonly KubeObject[] {
  const { namespace, fullName } = names;
  const configMap = (name: string, data: JsonObject): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${fullName}-${name}`, namespace },
    data,
  });
  const { knownHosts, config } = values.ssh ?? {};
  const gitConfig = values.git?.config;
  return [
    ...(values.kube?.externalConfig === true
      ? []
      : [configMap("kube-config", { config: kubeconfigWithoutCluster(values, namespace) })]),
    ...(knownHosts === undefined
      ? []
      : [configMap("ssh-config", { known_hosts: knownHosts, ...(config === undefined ? {} : { config }) })]),
    ...(gitConfig === undefined || "secretName" in gitConfig
      ? []
      : [
          secret(names, `${fullName}-git-config`, {
            gitconfig: Buffer.from(gitConfig.data).toString("base64"),
          }),
        ]),
  ];
}

function kubeconfigWithoutCluster({ clusterRole, kube }: ChartValues, namespace: string): string {
  if (clusterRole?.create !== false && kube?.config !== undefined) {
    return kube.config;
  }
  return `apiVersion: v1
kind: Config
clusters: []
contexts:
- name: default
  context: { cluster: "", namespace: ${clusterRole?.create === false ? namespace : "default"}, user: "" }
current-context: default
preferences: {}
users: []
`;
}

function service({ namespace, fullName, labels, podLabels }: ChartNames): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: fullName, namespace, labels },
    spec: {
      type: "ClusterIP",
      ports: [{ name: "http", port: 3030, targetPort: "http", protocol: "TCP" }],
      selector: podLabels,
    },
  };
}

function deployment(values: ChartValues, names: ChartNames): KubeObject {
  const { namespace, fullName, labels, podLabels, serviceAccount } = names;
  const { extraEnvs = [], envSecretName, imagePullSecret, prometheusAnnotations = false } = values;
  const annotations = {
    ...(values.ssh?.knownHosts === undefined ? {} : { "checksum/ssh": "0".repeat(64) }),
    ...(prometheusAnnotations ? { "prometheus.io/scrape": "true" } : {}),
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: fullName, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: podLabels },
      strategy: { type: "Recreate" },
      template: {
        metadata: { annotations, labels: podLabels },
        spec: {
          serviceAccountName: serviceAccount,
          ...(imagePullSecret === undefined ? {} : { imagePullSecrets: [{ name: imagePullSecret }] }),
          nodeSelector: { "kubernetes.io/os": "linux" },
          ...fluxdPodSpec({
            image: values.image ?? fluxImage,
            args: chartArguments(values, names),
            env: [{ name: "KUBECONFIG", value: "/root/.kubectl/config" }, ...extraEnvs],
            ...(envSecretName === undefined ? {} : { envFrom: [{ secretRef: { name: envSecretName } }] }),
            mounts: chartMounts(values, names),
            ports: [{ name: "http", containerPort: 3030, protocol: "TCP" }],
          }),
        },
      },
    },
  };
}

function memcached({ namespace, fullName, name, release, labels }: ChartNames): readonly KubeObject[] {
  const app = `${name}-memcached`;
  const metadata = { name: `${fullName}-memcached`, namespace, labels: { ...labels, app } };
  const selector = { app, release };
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        ports: [{ name: "memcached", port: 11211, targetPort: "memcached", protocol: "TCP" }],
        selector,
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            nodeSelector: { "kubernetes.io/os": "linux" },
            containers: [
              {
                name: "memcached",
                image: "memcached:1.6.12-alpine",
                imagePullPolicy: "IfNotPresent",
                args: ["-m 512", "-p 11211", "-I 5m"],
                ports: [{ name: "memcached", containerPort: 11211 }],
                resources: { requests: { cpu: "50m", memory: "64Mi" } },
                securityContext: { runAsUser: 11211, runAsGroup: 11211, allowPrivilegeEscalation: false },
              },
            ],
          },
        },
      },
    },
  ];
}

/** Takes the CustomResourceDefinition of Prometheus' operator. */
function serviceMonitor({ namespace, fullName, labels, podLabels }: ChartNames): KubeObject {
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: { name: fullName, namespace, labels },
    spec: {
      endpoints: [{ port: "http", honorLabels: true }],
      namespaceSelector: { matchNames: [namespace] },
      selector: { matchLabels: podLabels },
    },
  };
}
