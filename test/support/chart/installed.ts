import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { TempFolder } from "@weir/testing";
import { stringify } from "yaml";
import { helm } from "./helm.ts";
import { fluxChartDefaults } from "./render.ts";

/** Runs a helm that must succeed against a cluster. */
export function helmIn(cluster: Cluster, ...args: readonly string[]): Promise<string> {
  return helm(args, { KUBECONFIG: cluster.kubeconfigPath, PATH: process.env["PATH"] ?? "" });
}

interface Cluster {
  readonly kubeconfigPath: string;
}

/** A release of Flux v1's chart. */
export interface FluxRelease {
  readonly release: string;
  readonly namespace: string;
  readonly values: JsonObject;
  /** What the chart made of the values. */
  readonly objects: readonly KubeObject[];
}

/**
 * Installs objects by `helm install`, as a release of the chart fluxcd/flux 1.13.3 with these values. Its defaults are
 * those of that chart, which `helm upgrade --reuse-values` takes from the release.
 */
export async function installFluxChart(
  cluster: Cluster,
  { release, namespace, values, objects }: FluxRelease,
): Promise<void> {
  using folder = new TempFolder();
  const chart = { apiVersion: "v1", name: "flux", version: "1.13.3", appVersion: "1.25.4" };
  folder.write("flux/Chart.yaml", stringify(chart));
  folder.write("flux/values.yaml", stringify(fluxChartDefaults()));
  const manifests = objects.map((object) => stringify(object)).join("---\n");
  folder.write("flux/templates/all.yaml", manifests);
  const file = folder.write("values.json", JSON.stringify(values));
  await helmIn(
    cluster,
    "install",
    release,
    `${folder.path}/flux`,
    "--namespace",
    namespace,
    "--values",
    file,
  );
}
