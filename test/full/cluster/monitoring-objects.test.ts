import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { type BorrowedControlPlane, borrowControlPlane, findProgram, KubeEyes, lacks } from "@weir/testing";
import { parseAllDocuments } from "yaml";
import { type DefinitionSet, defineKinds, lacksDefinitions } from "../../support/module-definitions.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** The kinds of the Prometheus Operator. */
const operator: DefinitionSet = {
  name: "prometheus-operator-definitions",
  modules: [
    {
      path: "github.com/prometheus-operator/prometheus-operator",
      version: "v0.85.0",
      sum: "h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=",
      folder: "example/prometheus-operator-crd",
      files: ["monitoring.coreos.com_servicemonitors.yaml", "monitoring.coreos.com_prometheusrules.yaml"],
    },
  ],
};

const paths: Readonly<Record<string, string>> = {
  ConfigMap: "/api/v1/namespaces/flux/configmaps",
  Service: "/api/v1/namespaces/flux/services",
  ServiceMonitor: "/apis/monitoring.coreos.com/v1/namespaces/flux/servicemonitors",
  PrometheusRule: "/apis/monitoring.coreos.com/v1/namespaces/flux/prometheusrules",
};

/** The objects that kustomize makes of a folder. */
async function kustomize(folder: string): Promise<readonly KubeObject[]> {
  const { stdout } = await promisify(execFile)(
    findProgram("kubectl") ?? "kubectl",
    ["kustomize", join(root, folder)],
    { maxBuffer: 1 << 26 },
  );
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}

describe("the kustomization in monitoring/", { skip: lacksDefinitions() || lacks("kubectl") }, () => {
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  let objects: readonly KubeObject[];

  before(async () => {
    objects = await kustomize("monitoring");
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
    await defineKinds(operator, kube);
    await kube.create("/api/v1/namespaces", { metadata: { name: "flux" } });
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await plane.stop();
  });

  function only(kind: string, of: readonly KubeObject[] = objects): KubeObject {
    const found = of.filter((each) => each.kind === kind);
    assert.equal(found.length, 1, kind);
    return found[0] as KubeObject;
  }

  it("has these objects, which the API server accepts and stores as they are", async () => {
    assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), Object.keys(paths).toSorted());
    for (const kind of ["ServiceMonitor", "PrometheusRule"]) {
      const object = only(kind);
      const stored = await kube.post(`${paths[kind] ?? ""}?fieldValidation=Strict`, object);
      assert.deepEqual(stored["spec"], object["spec"], kind);
    }
    for (const kind of ["ConfigMap", "Service"]) {
      await kube.create(`${paths[kind] ?? ""}?fieldValidation=Strict`, only(kind));
    }
  });

  it("refuses what isn't in the schema, so that the test above means something", async () => {
    const monitor = only("ServiceMonitor");
    const wrong = {
      ...monitor,
      metadata: { name: "wrong" },
      spec: { ...(monitor["spec"] as object), prot: 1 },
    };

    await assert.rejects(
      kube.create(`${paths["ServiceMonitor"] ?? ""}?fieldValidation=Strict`, wrong),
      /prot/,
    );
  });

  it("finds the port of the metrics of the Deployment in deploy/", async () => {
    const deployment = (await kustomize("deploy")).find(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === "flux",
    );
    const { template } = deployment?.["spec"] as {
      readonly template: {
        readonly metadata: { readonly labels: Readonly<Record<string, string>> };
        readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
      };
    };
    const service = only("Service");
    const { selector, ports } = service["spec"] as {
      readonly selector: Readonly<Record<string, string>>;
      readonly ports: readonly { readonly name: string; readonly targetPort: number }[];
    };
    const monitor = only("ServiceMonitor")["spec"] as {
      readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
      readonly endpoints: readonly { readonly port: string }[];
    };

    assert.deepEqual({ ...template.metadata.labels, ...selector }, template.metadata.labels);
    assert.ok(template.spec.containers[0]?.args.includes(`--listen-metrics=:${ports[0]?.targetPort ?? ""}`));
    assert.deepEqual(
      { ...service.metadata.labels, ...monitor.selector.matchLabels },
      service.metadata.labels,
    );
    assert.deepEqual(
      monitor.endpoints.map(({ port }) => port),
      ports.map(({ name }) => name),
    );
  });

  it("contains the dashboard as Grafana's sidecar finds it", () => {
    const { metadata, data } = only("ConfigMap") as KubeObject & {
      readonly data: Readonly<Record<string, string>>;
    };

    assert.equal(metadata.labels?.["grafana_dashboard"], "1");
    assert.equal(data["weir.json"], readFileSync(join(root, "monitoring", "dashboard.json"), "utf8"));
  });
});
