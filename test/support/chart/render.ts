import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { TempFolder } from "@weir/testing";
import { parse, parseAllDocuments } from "yaml";
import { type HelmResult, helm, runHelm } from "./helm.ts";

const root = join(import.meta.dirname, "../../..");

/** The chart as it is in the repository. */
export const chartFolder = join(root, "chart", "weir");

/** A chart that is rendered without a cluster. */
export interface RenderOptions {
  readonly values?: JsonObject;
  readonly release?: string;
  readonly namespace?: string;
  /** The folder of the chart. */
  readonly chart?: string;
  /** What the cluster is to have beside what each has, such as `policy/v1beta1/PodSecurityPolicy`. */
  readonly apis?: readonly string[];
}

/** The objects that `helm install` would create; those of `helm test` aren't among them. */
export async function render(options: RenderOptions = {}): Promise<readonly KubeObject[]> {
  return parseObjects(await withValues(options, (args) => helm([...args, "--skip-tests"])));
}

/** Like `render`, with the objects of `helm test`. */
export async function renderTests(options: RenderOptions = {}): Promise<readonly KubeObject[]> {
  const objects = parseObjects(await withValues(options, (args) => helm(args)));
  return objects.filter(({ metadata }) => metadata.annotations?.["helm.sh/hook"] === "test");
}

/** Renders a chart, however that ends. */
export function tryRender(options: RenderOptions): Promise<HelmResult> {
  return withValues(options, (args) => runHelm(args));
}

/**
 * A copy of the chart as `helm upgrade --reuse-values` has it after a release of another chart: with all values of that
 * one, its defaults included, in the place of its own defaults.
 */
export function chartWithValuesOf(folder: TempFolder, values: JsonObject): string {
  const copy = join(folder.path, "reused");
  cpSync(chartFolder, copy, { recursive: true });
  writeFileSync(join(copy, "values.yaml"), JSON.stringify(values));
  return copy;
}

/** The defaults of the chart fluxcd/flux 1.13.3, recorded. */
export function fluxChartDefaults(): JsonObject {
  return JSON.parse(readFileSync(join(root, "test/fixtures/flux-chart/values.json"), "utf8")) as JsonObject;
}

/** The Deployment of fluxd among rendered objects. */
export function fluxdPod(objects: readonly KubeObject[]): FluxdPodSpec {
  const deployments = objects.filter(({ kind }) => kind === "Deployment");
  const fluxd = deployments.find(({ metadata }) => metadata.name?.endsWith("memcached") === false);
  return (fluxd?.spec as unknown as { readonly template: { readonly spec: FluxdPodSpec } }).template.spec;
}

/** The defaults of the chart. */
export function chartDefaults(): JsonObject {
  return parse(readFileSync(join(chartFolder, "values.yaml"), "utf8")) as JsonObject;
}

/** What tests look at in fluxd's pod. */
export interface FluxdPodSpec {
  readonly securityContext?: JsonObject;
  readonly volumes: readonly JsonObject[];
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly securityContext?: JsonObject;
    readonly env: readonly JsonObject[];
    readonly volumeMounts: readonly JsonObject[];
  }[];
}

/** Objects in YAML 1.1, as Kubernetes reads it: 0400 is octal. */
export function parseObjects(text: string): readonly KubeObject[] {
  return parseAllDocuments(text, { version: "1.1" })
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

async function withValues<Result>(
  { values = {}, release = "flux", namespace = "flux", chart = chartFolder, apis = [] }: RenderOptions,
  use: (args: readonly string[]) => Promise<Result>,
): Promise<Result> {
  using folder = new TempFolder();
  const file = folder.write("values.json", JSON.stringify(values));
  const known = apis.flatMap((api) => ["--api-versions", api]);
  return await use(["template", release, chart, "--namespace", namespace, "--values", file, ...known]);
}
