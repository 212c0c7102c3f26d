/**
 * `npm run demo`: shows the main features. A git repository becomes a running cluster; then a change, a
 * removal, a manual edit, and a new image demonstrate applying, pruning, drift correction, and automation. It
 * only needs Node.js and git: the cluster runs inside fluxd, and the image registry inside this process. With
 * --once, it exits by itself: with 0 if everything worked, or else with 1.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoDaemon } from "./demo/daemon.ts";
import { Narrator } from "./demo/narrator.ts";
import { DemoRegistry } from "./demo/registry.ts";
import { until } from "./demo/until.ts";
import { DemoRepository } from "./demo/upstream.ts";
import { at, ClusterWatcher } from "./demo/watcher.ts";

const web = "/apis/apps/v1/namespaces/shop/deployments/web";
const cart = "/apis/apps/v1/namespaces/shop/deployments/cart";
const dashboard = "/apis/observe.example.com/v1/namespaces/observe/dashboards/shop";
const banner = "/api/v1/namespaces/shop/configmaps/old-banner";
const collector = "/apis/apps/v1/namespaces/observe/deployments/collector";
const image = ["spec", "template", "spec", "containers", 0, "image"] as const;

/** The initial images in the registry, oldest first. */
const images = [
  "web:1.0.0",
  "web:1.1.0",
  "cart:3.1.0",
  "cart:3.2.0",
  "cart-migrate:3.1.0",
  "report:0.4.2",
  "collector:2.6.0",
  "collector:2.7.1",
];

const once = process.argv.includes("--once");
const narrator = new Narrator();
const folder = mkdtempSync(join(tmpdir(), "weir-demo-"));
const registry = await DemoRegistry.start(join(folder, "registry"), images);
let daemon: DemoDaemon | undefined;
try {
  daemon = await tell();
  if (!once) {
    await untilInterrupted(daemon);
  }
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  const code = await daemon?.stop();
  // When it's asked to stop together with this process, it may receive the second signal.
  if (code !== 0 && code !== undefined && once) {
    console.error(`fluxd exited with code ${String(code)} instead of 0`);
    process.exitCode = 1;
  }
  registry.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function tell(): Promise<DemoDaemon> {
  narrator.chapter("A git repository describes what should run");
  const repository = new DemoRepository(folder, registry.host);
  narrator.say(`${repository.files} manifests, committed to ${repository.upstream}`);

  narrator.chapter("fluxd starts, with a Kubernetes API server inside it, and syncs");
  const started = await DemoDaemon.start(repository.url, folder, automationFlags());
  daemon = started;
  await until("the cluster", () => Promise.resolve(started.hasCluster()));
  const cluster = await ClusterWatcher.connect(started.kubeconfig, narrator);
  const watchUntil = async (what: string, isDone: () => Promise<boolean>): Promise<void> => {
    await until(what, async () => {
      started.assertRunning();
      await cluster.look();
      return isDone();
    });
    // Also report changes after the last check.
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
  repository.edit("shop/web.yaml", { from: "web:1.0.0", to: "web:1.1.0" }, "Release web 1.1.0");
  narrator.say(`pushed: ${registry.host}/web:1.0.0 → 1.1.0`);
  await watchUntil(
    "the new image",
    async () =>
      at(await cluster.get(web), ...image) === `${registry.host}/web:1.1.0` && (await isReady(web, 2)),
  );
  narrator.saw("=", "applied, and rolled out");

  narrator.chapter("A file is removed from git");
  repository.remove("shop/old-banner.yaml", "Remove the summer banner");
  narrator.say("pushed: without shop/old-banner.yaml");
  await watchUntil("the prune", async () => (await cluster.get(banner)) === undefined);
  narrator.saw("=", "pruned from the cluster");

  narrator.chapter("Somebody edits the cluster by hand");
  await cluster.scale(cart, 5);
  narrator.say("scaled: shop/cart from 1 to 5 replicas, not in git");
  const edited = performance.now();
  await watchUntil("the repair", async () => at(await cluster.get(cart), "spec", "replicas") === 1);
  narrator.saw("=", `corrected after ${((performance.now() - edited) / 1000).toFixed(1)} s`);

  narrator.chapter("A new image appears in the registry, and collector is automated");
  registry.onPush((name) => void started.noticeImage(registry.host, name).catch(() => undefined));
  const head = repository.head();
  registry.push("collector:2.7.2");
  narrator.say(`pushed: ${registry.host}/collector:2.7.2, to the registry; git still says 2.7.1`);
  const pushed = performance.now();
  await watchUntil("the automated release", () => Promise.resolve(repository.head() !== head));
  const took = ((performance.now() - pushed) / 1000).toFixed(1);
  narrator.saw("+", `in git after ${took} s, written by fluxd:`);
  narrator.quote(repository.newestCommit());
  await watchUntil(
    "the released image",
    async () =>
      at(await cluster.get(collector), ...image) === `${registry.host}/collector:2.7.2` &&
      (await isReady(collector, 1)),
  );
  narrator.saw("=", "committed, applied, and rolled out");
  repository.pull();
  await cluster.close();
  return started;
}

/**
 * Scans only the demo's own registry, so that nothing leaves this machine; edits change a single line, so
 * that the change is easy to see.
 */
function automationFlags(): readonly string[] {
  return [
    `--registry-insecure-host=${registry.host}`,
    `--registry-include-image=${registry.host}/*`,
    "--memcached-hostname=",
    "--write-back-style=minimal",
  ];
}

async function untilInterrupted({ url, fluxctl, kubeconfig }: DemoDaemon): Promise<void> {
  narrator.chapter("Everything keeps running. In another terminal, try");
  narrator.quote(
    [
      `export FLUX_URL=${url}`,
      `export KUBECONFIG=${kubeconfig}`,
      `${fluxctl} list-workloads -a`,
      `${fluxctl} list-images -n shop`,
      `touch ${join(registry.folder, "collector", "2.7.3")}     # pushes an image, which is released automatically`,
      `${fluxctl} automate -n shop --workload=deployment/web`,
      `touch ${join(registry.folder, "web", "1.2.0")}     # now this one is released automatically, too`,
      "kubectl get deployments,pods -A",
      "kubectl -n shop delete service web     # fluxd creates it again",
      `cd ${join(folder, "config")}     # edit, git commit, git pull --rebase, git push`,
      `${fluxctl} sync`,
    ].join("\n"),
  );
  narrator.say("");
  narrator.say("Press Ctrl-C to stop. The demo cleans up after itself.");
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
