/** Starts of fluxd and of gitops-engine's agent on a cluster that already has everything that's in git. */
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlPlane } from "@weir/testing";
import { Fluxd } from "../../../test/support/fluxd.ts";
import { connectBare } from "../support/api.ts";
import { highWaterMark, residentMemory } from "../support/processes.ts";
import { until } from "../support/until.ts";

/** The lists that a start can't do without. */
const collections = [
  "/api/v1/namespaces",
  "/api/v1/services",
  "/api/v1/configmaps",
  "/apis/apps/v1/deployments",
];

/** The seconds for lists of the kinds in git, at the same time and page by page, without any code of Weir. */
export async function bareLists(plane: ControlPlane): Promise<number> {
  const api = connectBare(plane.url, plane.token, collections.length);
  const list = async (path: string): Promise<void> => {
    let next = "";
    do {
      const more = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
      const page = (await api.get(`${path}?limit=500${more}`)) as {
        readonly metadata: { readonly continue?: string };
      };
      next = page.metadata.continue ?? "";
    } while (next !== "");
  };
  const began = performance.now();
  await Promise.all(collections.map(list));
  const seconds = (performance.now() - began) / 1000;
  await api.close();
  return seconds;
}

/** What a start took until everything was known to be in sync. */
export interface Start {
  readonly seconds: number;
  /** Requests that change something, which the server has answered in this time. */
  readonly writes: number;
  readonly peakMiB: number;
}

/** The last line of the first sync, whether or not it moved the tag. */
const synced = 'component=sync-loop state="tag ';

/** Starts of fluxd on one repository and one cluster. Their folders stay until it's disposed. */
export class FluxdStarts implements Disposable {
  readonly #gitUrl: string;
  readonly #plane: ControlPlane;
  readonly #folders: string[] = [];

  constructor(gitUrl: string, plane: ControlPlane) {
    this.#gitUrl = gitUrl;
    this.#plane = plane;
  }

  /**
   * Starts fluxd, waits for its first sync, and kills it. Nothing else may ask it for anything in that time: a start is
   * bound by one processor. It's killed because it would remove its checkouts: for some minutes after many files were
   * removed, ext4 takes a second instead of a tenth to make as many, which the next start would pay for.
   */
  async start(flags: readonly string[]): Promise<Start> {
    const before = await writesTo(this.#plane);
    const began = performance.now();
    const fluxd = await Fluxd.start({
      gitUrl: this.#gitUrl,
      kubeconfigPath: this.#plane.kubeconfigPath,
      flags: ["--sync-timeout=10m", ...flags],
    });
    this.#folders.push(fluxd.folder);
    try {
      await until("the first sync", () => fluxd.log.includes(synced), 600);
      const seconds = (performance.now() - began) / 1000;
      const peakMiB = highWaterMark(fluxd.pid);
      await until("its success", async () => (await syncs(fluxd.baseUrl)) === 1, 10);
      return { seconds, writes: (await writesTo(this.#plane)) - before, peakMiB };
    } finally {
      await fluxd.stop("SIGKILL");
    }
  }

  [Symbol.dispose](): void {
    this.#folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  }
}

/** The agent's binary, the repository with the objects, and a folder for its log. */
export interface AgentFiles {
  readonly agent: string;
  readonly repository: string;
  readonly folder: string;
}

/** Starts gitops-engine's agent on a folder in git, waits for its first sync, and stops it. */
export async function startAgent(
  plane: ControlPlane,
  { agent, repository, folder }: AgentFiles,
): Promise<Start> {
  const before = await writesTo(plane);
  const began = performance.now();
  const child = spawn(agent, [repository, "--path", ".", "--default-namespace", "default"], {
    env: { ...process.env, KUBECONFIG: plane.kubeconfigPath, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  try {
    await until("the agent's first sync", () => /RESOURCE\s+RESULT/.test(output), 1_200);
    const seconds = (performance.now() - began) / 1000;
    const { peak } = residentMemory(child.pid ?? 0);
    return { seconds, writes: (await writesTo(plane)) - before, peakMiB: peak };
  } finally {
    writeFileSync(join(folder, "agent.log"), output);
    child.kill();
  }
}

async function syncs(fluxdUrl: string): Promise<number> {
  const text = await fetch(`${fluxdUrl}/metrics`).then(
    (response) => response.text(),
    () => "",
  );
  return Number(/^flux_daemon_sync_duration_seconds_count\{success="true"\} (\S+)/m.exec(text)?.[1] ?? 0);
}

/** The writes of objects that are in git which the server has answered so far. */
async function writesTo(plane: ControlPlane): Promise<number> {
  const api = connectBare(plane.url, plane.token, 1);
  const text = await api.text("/metrics");
  await api.close();
  const resources =
    /^apiserver_request_total\{.*resource="(?:deployments|services|configmaps|namespaces)".*\} (\S+)/gm;
  return [...text.matchAll(resources)]
    .filter(([line]) => /verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/.test(line))
    .reduce((sum, match) => sum + Number(match[1]), 0);
}
