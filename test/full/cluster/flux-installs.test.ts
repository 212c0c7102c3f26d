import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type BorrowedControlPlane, borrowControlPlane, Kubectl, KubeEyes, lacks } from "@weir/testing";
import {
  chartInstall,
  deployFolderInstall,
  type FluxInstall,
  fluxctlInstall,
  fluxImage,
  kustomizedInstall,
  withImage,
} from "../../support/flux-installs.ts";
import { RecordingProxy } from "../../support/recording-proxy.ts";

const gitUrl = "git@git.example.test:org/repo";

/** Every option of each shape at least once. */
const installs: readonly (readonly [name: string, install: FluxInstall])[] = [
  ["the chart with its default values", chartInstall({ namespace: "helm" })],
  [
    "the chart with a deploy key, host keys, and keys for signatures",
    chartInstall({
      release: "gitops",
      git: {
        url: gitUrl,
        secretName: "key",
        secretDataKey: "id",
        signingKey: "K",
        verifySignatures: true,
        secret: true,
        setAuthor: true,
        config: { data: "[user]\n" },
      },
      ssh: { knownHosts: "git.example.test ssh-ed25519 AAAA\n", config: "Host *\n" },
      gpgKeys: { secretName: "gpg", configMapName: "gpg-public" },
      sops: true,
      kube: { config: "kind: Config\n" },
    }),
  ],
  [
    "the chart in some namespaces, with generators, volumes, and Prometheus",
    chartInstall({
      release: "narrow",
      namespace: "narrow",
      clusterRole: { create: false },
      allowedNamespaces: ["shop"],
      defaultNamespace: "shop",
      manifestGeneration: true,
      extraVolumes: [{ name: "tools", source: { emptyDir: {} } }],
      extraVolumeMounts: [{ name: "tools", mountPath: "/opt/tools" }],
      syncGarbageCollection: { dry: true },
      sync: { state: "secret", interval: "3m", timeout: "2m" },
      registry: { disableScanning: true, acr: true, ecrRegion: "eu-west-1", insecureHosts: "r.test" },
      memcached: { enabled: false, hostnameOverride: "cache" },
      serviceAccount: { create: false },
      prometheusAnnotations: true,
      serviceMonitor: true,
      token: "token",
      additionalArgs: ["--git-notes-ref=other"],
      imagePullSecret: "pull",
    }),
  ],
  [
    "fluxctl install",
    fluxctlInstall({
      gitUrl,
      gitEmail: "a@example.test",
      gitPaths: ["a", "b"],
      gitReadonly: true,
      manifestGeneration: true,
      registryDisableScanning: true,
    }),
  ],
  [
    "the deploy folder with all that its comments suggest",
    deployFolderInstall({ gitUrl, sshConfig: true, kubeconfig: true, gpgKeys: true, gitAuthSecret: "auth" }),
  ],
  ["the deploy folder through kustomize", kustomizedInstall({ gitUrl, gitUser: "dev", namespace: "gitops" })],
];

describe("installs of Flux v1", { skip: lacks("Go") || lacks("kubectl") }, () => {
  let plane: BorrowedControlPlane;
  let proxy: RecordingProxy;
  let kubectl: Kubectl;
  before(async () => {
    plane = await borrowControlPlane();
    proxy = await RecordingProxy.start(plane);
    kubectl = await Kubectl.for(proxy.kubeconfig);
    await using kube = new KubeEyes(plane.url, plane.token);
    await kube.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", serviceMonitors);
  });
  after(async () => {
    await kubectl[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await plane.stop();
  });

  for (const [name, install] of installs) {
    it(`are accepted by an API server, with no field that it does not know: ${name}`, async () => {
      const namespaces = [...new Set(install.objects.flatMap(({ metadata }) => metadata.namespace ?? []))];
      const homes = namespaces
        .filter((each) => each !== "default")
        .map((each) => ({
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: each },
        }));
      const items = [...homes, ...install.objects.filter(({ kind }) => kind !== "Namespace")];

      const { exit, stderr } = await kubectl.run(
        ["apply", "--validate=strict", "-f", "-"],
        JSON.stringify({ apiVersion: "v1", kind: "List", items }),
      );

      assert.deepEqual([exit, stderr], [0, ""]);
      const [deployment] = install.objects.filter(
        ({ kind, metadata }) => kind === "Deployment" && metadata.name === install.deployment,
      );
      assert.ok(JSON.stringify(deployment).includes(fluxImage));
      const switched = JSON.stringify(withImage(install, "example.test/weir:1").objects);
      assert.equal(switched, JSON.stringify(install.objects).replace(fluxImage, "example.test/weir:1"));
    });
  }
});

/** As much of the CustomResourceDefinition as an API server needs. */
const serviceMonitors = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "servicemonitors.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    scope: "Namespaced",
    names: { plural: "servicemonitors", singular: "servicemonitor", kind: "ServiceMonitor" },
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
