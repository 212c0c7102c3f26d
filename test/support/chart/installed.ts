import type { JsonObject } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { stringify } from "yaml";
import type { FluxInstall } from "../flux-installs/install.ts";
import type { PodWorld } from "../pods/pod-world.ts";
import { helm } from "./helm.ts";
import { fluxChartDefaults } from "./render.ts";

/** Runs a helm that must succeed against the cluster of a world. */
export function helmIn({ cluster }: PodWorld, ...args: readonly string[]): Promise<string> {
  return helm(args, { KUBECONFIG: cluster.kubeconfigPath, PATH: process.env["PATH"] ?? "" });
}

/**
 * Installs objects by `helm install`, as a release of the chart fluxcd/flux 1.13.3 with these values. Its defaults are
 * those of that chart, which `helm upgrade --reuse-values` takes from the release.
 */
export async function installFluxChart(
  pods: PodWorld,
  { namespace, objects }: FluxInstall,
  values: JsonObject,
): Promise<void> {
  using folder = new TempFolder();
  const chart = { apiVersion: "v1", name: "flux", version: "1.13.3", appVersion: "1.25.4" };
  folder.write("flux/Chart.yaml", stringify(chart));
  folder.write("flux/values.yaml", stringify(fluxChartDefaults()));
  const manifests = objects.map((object) => stringify(object)).join("---\n");
  folder.write("flux/templates/all.yaml", manifests);
  const file = folder.write("values.json", JSON.stringify(values));
  await helmIn(pods, "install", "flux", `${folder.path}/flux`, "--namespace", namespace, "--values", file);
}
