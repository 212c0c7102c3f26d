import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { flagsOf } from "@weir/cli";
import type { KubeObject } from "@weir/kube";
import { type BorrowedControlPlane, borrowControlPlane, KubeEyes, lacks } from "@weir/testing";
import { parse } from "yaml";
import { declareServeFlags, declareSharedFlags } from "../../hub/cmd/flags.ts";
import { helm, lacksHelm } from "../support/chart/helm.ts";
import { helmIn } from "../support/chart/installed.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import { render, tryRender } from "../support/chart/render.ts";

const chart = join(import.meta.dirname, "../../chart/weir-console");
const needed = { publicUrl: "https://weir.example.com", image: { repository: "registry.example.com/weir" } };
const server = { database: { secretName: "database" }, encryption: { secretName: "keys" } };
const everything = {
  ...needed,
  ...server,
  replicaCount: 3,
  passwords: false,
  openid: { issuer: "https://login.example.com", clientId: "weir", scopes: ["groups"], secretName: "openid" },
  trustedProxies: ["10.0.0.0/8", "192.0.2.1"],
  notifyPrivateHosts: ["*.example.internal"],
  extraArgs: ["--keep-events-days=30"],
  ingress: { enabled: true, className: "nginx", tlsSecretName: "certificate" },
  networkPolicy: { enabled: true, metricsFrom: [{ namespaceSelector: {} }] },
};
const monitored = { ...everything, serviceMonitor: { enabled: true, interval: "30s" } };

describe("the console's chart", { skip: lacksHelm(), concurrency: 4 }, () => {
  it("passes helm lint, with little and with everything", async () => {
    for (const values of [needed, monitored]) {
      const args = Object.entries(values).map(
        ([name, value]) => `--set-json=${name}=${JSON.stringify(value)}`,
      );
      await helm(["lint", "--strict", chart, ...args]);
    }
  });

  it("has the version of Weir", () => {
    const { version, appVersion } = parse(readFileSync(join(chart, "Chart.yaml"), "utf8")) as JsonObject;

    assert.deepEqual([version, appVersion], [packageVersion(), packageVersion()]);
  });

  it("gives the program only flags that it has, with values that they take", async () => {
    const known = flagsOf({ ...declareSharedFlags(), ...declareServeFlags() });
    for (const values of [needed, monitored]) {
      const [command, ...args] = container(await render({ chart, values })).args;

      assert.equal(command, "serve");
      for (const arg of args) {
        const [, name, value = ""] = /^--([a-z-]+)=(.*)$/.exec(arg) ?? [];
        const flag = known.find(({ declaration }) => declaration.name === name);
        assert.ok(flag, arg);
        flag.set(value);
      }
    }
  });

  it("keeps an embedded database on a volume that outlives the release", async () => {
    const objects = await render({ chart, values: needed });

    const claim = objects.find(({ kind }) => kind === "PersistentVolumeClaim");
    assert.equal(claim?.metadata.annotations?.["helm.sh/resource-policy"], "keep");
    const { args, volumeMounts } = container(objects);
    const mounted = volumeMounts.find(({ name }) => name === "data");
    assert.ok(args.includes(`--data-folder=${mounted?.mountPath}`));
    assert.ok(!args.some((arg) => arg.startsWith("--secret-key-file")));
  });

  it("has secrets from Secrets only, and a key file that not everybody can read", async () => {
    const objects = await render({ chart, values: everything });

    const { env = [], args, volumeMounts } = container(objects);
    assert.deepEqual(
      env.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef]),
      [
        ["DATABASE_URL", { name: "database", key: "DATABASE_URL" }],
        ["WEIR_CONSOLE_OPENID_CLIENT_SECRET", { name: "openid", key: "clientSecret" }],
      ],
    );
    const { volumes } = podOf(objects);
    const keys = volumes.find(({ name }) => name === "encryption")?.secret;
    assert.equal((keys?.defaultMode ?? 0o777) & 0o007, 0);
    const mounted = volumeMounts.find(({ name }) => name === "encryption");
    assert.ok(args.includes(`--secret-key-file=${mounted?.mountPath}/${keys?.items[0].path}`));
    assert.ok(!objects.some(({ kind }) => kind === "Secret" || kind === "PersistentVolumeClaim"));
  });

  it("probes what the console answers, and writes nothing into its root file system", async () => {
    const { livenessProbe, readinessProbe, securityContext } = container(
      await render({ chart, values: needed }),
    );

    assert.equal(livenessProbe.httpGet.path, "/healthz");
    assert.equal(readinessProbe.httpGet.path, "/readyz");
    assert.equal(securityContext["readOnlyRootFilesystem"], true);
    assert.equal(securityContext["allowPrivilegeEscalation"], false);
  });

  it("doesn't show metrics where the page is", async () => {
    const objects = await render({ chart, values: monitored });

    assert.ok(container(objects).args.includes("--listen-metrics=:9090"));
    const ports = objects
      .filter(({ kind }) => kind === "Service")
      .map(({ metadata, spec }) => [
        metadata.name,
        (spec as unknown as ServiceSpec).ports.map(({ targetPort }) => targetPort),
      ]);
    assert.deepEqual(Object.fromEntries(ports), {
      "flux-weir-console": ["http"],
      "flux-weir-console-metrics": ["metrics"],
    });
  });

  it("has the Ingress at the host of publicUrl", async () => {
    const values = { ...needed, publicUrl: "https://weir.example.com:8443/", ingress: { enabled: true } };

    const ingress = (await render({ chart, values })).find(({ kind }) => kind === "Ingress");

    const { rules } = ingress?.spec as unknown as { readonly rules: readonly { readonly host: string }[] };
    assert.deepEqual(
      rules.map(({ host }) => host),
      ["weir.example.com"],
    );
  });
});

describe("values that the console's chart refuses", { skip: lacksHelm(), concurrency: 4 }, () => {
  const cases: readonly (readonly [string, JsonObject, RegExp])[] = [
    ["no address", { image: needed.image }, /set publicUrl to the address/],
    ["an address with a path", { ...needed, publicUrl: "https://example.com/weir" }, /publicUrl/],
    ["no image", { ...needed, image: { repository: "" } }, /set image\.repository to an image/],
    ["two embedded databases", { ...needed, replicaCount: 2 }, /set database\.secretName to a Secret/],
    ["PostgreSQL without keys", { ...needed, database: server.database }, /needs encryption\.secretName/],
    [
      "half a provider",
      { ...needed, openid: { clientId: "weir" } },
      /both openid\.issuer and openid\.clientId/,
    ],
    ["no way to log in", { ...needed, passwords: false }, /nobody could log in/],
    ["a name that it doesn't know", { ...needed, replicas: 2 }, /replicas/],
  ];
  for (const [what, values, message] of cases) {
    it(what, async () => {
      const { exit, stderr } = await tryRender({ chart, values });

      assert.notEqual(exit, 0);
      assert.match(stderr, message);
    });
  }
});

describe("the console's chart, on an API server", { skip: lacks("Go") || lacksHelm() }, () => {
  const here = ["--namespace", "weir"];
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  before(async () => {
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
    await kube.create("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "weir" },
    });
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await plane.stop();
  });

  it("is installed, moved to PostgreSQL with several consoles, and uninstalled without its data", async () => {
    const deployment = "/apis/apps/v1/namespaces/weir/deployments/weir-console";
    const claim = "/api/v1/namespaces/weir/persistentvolumeclaims/weir-console";
    const replicas = async (): Promise<unknown> => {
      const { spec } = (await kube.get(deployment)) as { readonly spec?: JsonObject };
      return spec?.["replicas"];
    };
    const set = (values: object): readonly string[] =>
      Object.entries(values).map(([name, value]) => `--set-json=${name}=${JSON.stringify(value)}`);

    const notes = await helmIn(plane, "install", "weir-console", chart, ...here, ...set(needed));

    assert.match(notes, /--connect=wss:\/\/weir\.example\.com\/api\/flux\n/);
    assert.match(notes, /can only be reached from inside the cluster/);
    assert.equal(await replicas(), 1);

    await helmIn(plane, "upgrade", "weir-console", chart, ...here, ...set(everything));

    assert.equal(await replicas(), 3);
    for (const path of [
      "/apis/policy/v1/namespaces/weir/poddisruptionbudgets/weir-console",
      "/apis/networking.k8s.io/v1/namespaces/weir/networkpolicies/weir-console",
      "/apis/networking.k8s.io/v1/namespaces/weir/ingresses/weir-console",
    ]) {
      assert.ok(await kube.get(path), path);
    }

    await helmIn(plane, "uninstall", "weir-console", ...here);

    assert.equal(await kube.get(deployment), undefined);
    assert.ok(await kube.get(claim));
  });
});

interface Pod {
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly secret?: { readonly defaultMode: number; readonly items: readonly [{ readonly path: string }] };
  }[];
}

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef: object } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: JsonObject;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

interface ServiceSpec {
  readonly ports: readonly { readonly targetPort: string }[];
}

function podOf(objects: readonly KubeObject[]): Pod {
  const deployment = objects.find(({ kind }) => kind === "Deployment");
  return (deployment?.spec as unknown as { readonly template: { readonly spec: Pod } }).template.spec;
}

function container(objects: readonly KubeObject[]): Container {
  return podOf(objects).containers[0];
}
