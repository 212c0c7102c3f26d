/**
 * `npm run demo`: the main job, to be watched. A git repository becomes a running cluster; then a change, a
 * removal and an edit by hand show applying, pruning and repair. Nothing but Node and git is needed: the
 * cluster runs inside fluxd. With --once it ends by itself: 0 where all of it happened, else 1.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoDaemon } from "./demo/daemon.ts";
import { Narrator } from "./demo/narrator.ts";
import { until } from "./demo/until.ts";
import { DemoRepository } from "./demo/upstream.ts";
import { at, ClusterWatcher } from "./demo/watcher.ts";

const web = "/apis/apps/v1/namespaces/shop/deployments/web";
const cart = "/apis/apps/v1/namespaces/shop/deployments/cart";
const dashboard = "/apis/observe.example.com/v1/namespaces/observe/dashboards/shop";
const banner = "/api/v1/namespaces/shop/configmaps/old-banner";

const once = process.argv.includes("--once");
const narrator = new Narrator();
const folder = mkdtempSync(join(tmpdir(), "weir-demo-"));
let daemon: DemoDaemon | undefined;
try {
  daemon = await tell();
  if (!once) {
    await untilInterrupted(daemon);
  }
} catch (error) {
  console.error(
    `\nThe demo did not come to its end: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
} finally {
  const code = await daemon?.stop();
  // Told to end together with this process, it may be ended by the second word.
  if (code !== 0 && code !== undefined && once) {
    console.error(`fluxd ended with exit code ${String(code)} instead of 0`);
    process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function tell(): Promise<DemoDaemon> {
  narrator.chapter("A git repository describes what should run");
  const repository = new DemoRepository(folder);
  narrator.say(`${repository.files} manifests, committed to ${repository.upstream}`);

  narrator.chapter("fluxd starts, with a Kubernetes API server inside it, and syncs");
  const started = await DemoDaemon.start(repository.url, folder);
  daemon = started;
  await until("the cluster", () => Promise.resolve(started.hasCluster()));
  const cluster = await ClusterWatcher.connect(started.kubeconfig, narrator);
  const watchUntil = async (what: string, isDone: () => Promise<boolean>): Promise<void> => {
    await until(what, async () => {
      started.assertRunning();
      await cluster.look();
      return isDone();
    });
    // What came true after the look is told, too.
    await cluster.look();
  };
  const isReady = async (path: string, replicas: number): Promise<boolean> =>
    at(await cluster.get(path), "status", "readyReplicas") === replicas;
  await watchUntil(
    "the first sync",
    async () =>
      repository.isSynced() &&
      (await isReady(web, 2)) &&
      (await isReady(cart, 1)) &&
      (await cluster.get(dashboard)) !== undefined,
  );
  narrator.saw("=", "everything in git is in the cluster; the tag flux-sync marks the commit");
  narrator.say("$ fluxctl list-workloads --all-namespaces");
  narrator.quote(await started.ask("list-workloads", "--all-namespaces"));

  narrator.chapter("A new version: the image of web changes in git");
  repository.edit("shop/web.yaml", "web:1.0.0", "web:1.1.0", "Release web 1.1.0");
  narrator.say("pushed: ghcr.io/example/web:1.0.0 → 1.1.0");
  const image = ["spec", "template", "spec", "containers", 0, "image"] as const;
  await watchUntil(
    "the new image",
    async () =>
      at(await cluster.get(web), ...image) === "ghcr.io/example/web:1.1.0" && (await isReady(web, 2)),
  );
  narrator.saw("=", "applied, and rolled out");

  narrator.chapter("A file is removed from git");
  repository.remove("shop/old-banner.yaml", "Summer is over");
  narrator.say("pushed: without shop/old-banner.yaml");
  await watchUntil("the prune", async () => (await cluster.get(banner)) === undefined);
  narrator.saw("=", "pruned from the cluster");

  narrator.chapter("Somebody edits the cluster by hand");
  await cluster.scale(cart, 5);
  narrator.say("scaled: shop/cart from 1 to 5 replicas, not in git");
  const edited = performance.now();
  await watchUntil("the repair", async () => at(await cluster.get(cart), "spec", "replicas") === 1);
  narrator.saw("=", `put back after ${((performance.now() - edited) / 1000).toFixed(1)} s`);
  await cluster.close();
  return started;
}

async function untilInterrupted({ url, fluxctl, kubeconfig }: DemoDaemon): Promise<void> {
  narrator.chapter("Now you: it all keeps running. In another terminal, try");
  narrator.quote(
    [
      `export FLUX_URL=${url}`,
      `export KUBECONFIG=${kubeconfig}`,
      `${fluxctl} list-workloads -a`,
      `${fluxctl} automate -n shop --workload=deployment/web`,
      "kubectl get deployments,pods -A",
      "kubectl -n shop delete service web     # comes back by itself",
      `cd ${join(folder, "config")}     # edit, commit, git push ../config.git main`,
      `${fluxctl} sync`,
    ].join("\n"),
  );
  narrator.say("");
  narrator.say("Press Ctrl-C to end it; nothing is left behind.");
  await new Promise<void>((resolve) => {
    const keepAlive = setInterval(() => undefined, 1 << 30);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        clearInterval(keepAlive);
        resolve();
      });
    }
  });
}
