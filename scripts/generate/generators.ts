import { readFileSync } from "node:fs";
import { join } from "node:path";
import { goModulesOf } from "@weir/toolchain";
import { metricsGroups } from "../../cmd/fluxd/metrics.ts";
import { allConsoleMetrics } from "../../hub/src/program/metrics.ts";
import layers from "../../layers.json" with { type: "json" };
import { ownImage } from "../../src/own-image/own-image.ts";
import { apiDocument } from "../api-docs/document.ts";
import { withValuesTable } from "../chart/values-table.ts";
import { deployFiles } from "../deploy/files.ts";
import { engineApiReport } from "../engine-api/report.ts";
import { readManual } from "../fluxctl-docs/manual.ts";
import { printMarkdown } from "../fluxctl-docs/markdown.ts";
import { type RecordedFlag, readFluxdManual } from "../fluxd-docs/manual.ts";
import { printFluxdMarkdown } from "../fluxd-docs/markdown.ts";
import { withImageTools } from "../image/dockerfile.ts";
import { withToolsTable } from "../image/page.ts";
import { imageTools, licensesFile } from "../image/tools.ts";
import { knownHostsModule } from "../known-hosts/module.ts";
import { withGroups, withRooms } from "../layers/table.ts";
import { printModuleTexts } from "../licenses/module-texts.ts";
import { metricsPage } from "../metrics-docs/page.ts";
import { dashboard } from "../monitoring/dashboard.ts";
import { consoleDashboard, fluxdDashboard } from "../monitoring/dashboards.ts";
import { prometheusRule } from "../monitoring/prometheus-rule.ts";
import { kubernetesDataFiles } from "../openapi-data/data-files.ts";
import { everyKind, patchSchemaModule } from "../patch-schemas/module.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withControlPlane } from "./with-control-plane.ts";

const root = join(import.meta.dirname, "..", "..");

/** Generates files of the repository; the result is the same on every machine. */
export interface Generator {
  readonly name: string;
  /** Requires Go: for the Kubernetes API server of the end-to-end tests, or for the sources of tools. */
  readonly needsGo?: true;
  readonly generate: () => Promise<readonly GeneratedFile[]>;
}

/** All generators; `api-docs` runs the built fluxd and fluxctl. */
export const generators: readonly Generator[] = [
  {
    name: "deploy",
    generate: () =>
      Promise.resolve(
        deployFiles(packageVersion()).map(({ name, content }) => ({ path: join("deploy", name), content })),
      ),
  },
  {
    name: "chart",
    generate: () => Promise.resolve([chartReadme()]),
  },
  {
    name: "fluxctl-docs",
    generate: async () => [{ path: "docs/fluxctl.md", content: printMarkdown(await readManual()) }],
  },
  {
    name: "fluxd-docs",
    generate: () => Promise.resolve([fluxdPage()]),
  },
  {
    name: "metrics",
    generate: () => Promise.resolve(metricsFiles()),
  },
  {
    name: "engine-api",
    generate: () => Promise.resolve([{ path: "docs/api/engine.api.md", content: engineApiReport(root) }]),
  },
  {
    name: "layers",
    generate: () => Promise.resolve(layersPages()),
  },
  {
    name: "image",
    generate: () => Promise.resolve(imageFiles()),
  },
  {
    name: "tool-licenses",
    needsGo: true,
    generate: toolLicenses,
  },
  {
    name: "known-hosts",
    generate: () => Promise.resolve([knownHostsFile()]),
  },
  {
    name: "api-docs",
    generate: async () => [{ path: "docs/api.md", content: await apiDocument() }],
  },
  {
    name: "patch-schemas",
    needsGo: true,
    generate: () => withControlPlane(everyKind, patchSchemaModule),
  },
  {
    name: "kubernetes-data",
    needsGo: true,
    generate: () => withControlPlane([], kubernetesDataFiles),
  },
];

function fluxdPage(): GeneratedFile {
  const lines = readFileSync(join(root, "test/fixtures/fluxd/flags.jsonl"), "utf8").trim().split("\n");
  const recorded = lines.map((line) => JSON.parse(line) as RecordedFlag);
  return { path: "docs/fluxd.md", content: printFluxdMarkdown(readFluxdManual(recorded)) };
}

function chartReadme(): GeneratedFile {
  const path = "chart/weir/README.md";
  const values = readFileSync(join(root, "chart/weir/values.yaml"), "utf8");
  return { path, content: withValuesTable(readFileSync(join(root, path), "utf8"), values) };
}

function layersPages(): readonly GeneratedFile[] {
  const [groups, rooms] = ["docs/architecture.md", "docs/hub.md"];
  return [
    { path: groups, content: withGroups(readFileSync(join(root, groups), "utf8"), layers) },
    { path: rooms, content: withRooms(readFileSync(join(root, rooms), "utf8"), layers) },
  ];
}

function imageFiles(): readonly GeneratedFile[] {
  const [dockerfile, page] = ["Dockerfile", "docs/image.md"];
  const image = ownImage(packageVersion());
  return [
    {
      path: dockerfile,
      content: withImageTools(readFileSync(join(root, dockerfile), "utf8"), imageTools, image),
    },
    { path: page, content: withToolsTable(readFileSync(join(root, page), "utf8"), imageTools) },
  ];
}

/** The modules are the same for every architecture. */
async function toolLicenses(): Promise<readonly GeneratedFile[]> {
  const files: GeneratedFile[] = [];
  for (const { command } of imageTools.downloads) {
    const modules = await goModulesOf(command, { system: "linux", architecture: "amd64" });
    files.push({ path: licensesFile(command), content: printModuleTexts(command, modules) });
  }
  return files;
}

function metricsFiles(): readonly GeneratedFile[] {
  const ruleOf = (name: string, app: string, file: string): string =>
    prometheusRule({ name, app, file, rules: readFileSync(join(root, "monitoring", file), "utf8") });
  return [
    { path: "docs/metrics.md", content: metricsPage(metricsGroups, allConsoleMetrics) },
    { path: "monitoring/dashboard.json", content: dashboard(fluxdDashboard) },
    { path: "chart/weir/dashboards/flux.json", content: dashboard(fluxdDashboard) },
    { path: "monitoring/console-dashboard.json", content: dashboard(consoleDashboard) },
    { path: "monitoring/prometheus-rule.yaml", content: ruleOf("weir", "flux", "alerts.yaml") },
    {
      path: "monitoring/console-prometheus-rule.yaml",
      content: ruleOf("weir-console", "weir-console", "console-alerts.yaml"),
    },
  ];
}

function knownHostsFile(): GeneratedFile {
  const content = knownHostsModule(readFileSync(join(root, "docker", "known_hosts"), "utf8"));
  return { path: "src/switching/takeover/known-hosts.ts", content };
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return version;
}
