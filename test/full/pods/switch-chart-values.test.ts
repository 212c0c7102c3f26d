import type { KubeObject } from "@weir/kube";
import { chartInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";
import { generatorScript, scriptedFiles } from "../../support/pods/switch/synced-files.ts";

const namespace = "gitops";

describeSwitch("the Helm chart with a key, host keys, generators, extra volumes, and a ServiceMonitor", {
  namespace,
  files: scriptedFiles,
  bringsKey: true,
  prerequisites: () => [
    serviceMonitors,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "scripts", namespace },
      data: { "generate.sh": generatorScript },
    },
  ],
  install: ({ url, knownHosts }) =>
    chartInstall({
      release: "fluxcd",
      namespace,
      git: { url, secretName: "our-deploy-key", label: "production", path: "workloads" },
      ssh: { knownHosts },
      memcached: { hostnameOverride: `fluxcd-memcached.${namespace}` },
      manifestGeneration: true,
      syncGarbageCollection: { enabled: true },
      extraVolumes: [{ name: "scripts", source: { configMap: { name: "scripts" } } }],
      extraVolumeMounts: [{ name: "scripts", mountPath: "/opt/scripts" }],
      prometheusAnnotations: true,
      serviceMonitor: true,
    }),
});

const serviceMonitors: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "servicemonitors.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    names: { kind: "ServiceMonitor", plural: "servicemonitors" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
