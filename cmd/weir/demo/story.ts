import { at, type ClusterWatcher, type DemoDaemon, type Running, type Stage, until } from "@weir/demo";
import type { Narrator } from "./narrator.ts";

const web = "/apis/apps/v1/namespaces/shop/deployments/web";
const cart = "/apis/apps/v1/namespaces/shop/deployments/cart";
const dashboard = "/apis/observe.example.com/v1/namespaces/observe/dashboards/shop";
const banner = "/api/v1/namespaces/shop/configmaps/old-banner";
const collector = "/apis/apps/v1/namespaces/observe/deployments/collector";
const image = ["spec", "template", "spec", "containers", 0, "image"] as const;

/** What the demo shows by itself: how a git repository becomes a running cluster, and how both stay the same. */
export class Story {
  readonly #stage: Stage;
  readonly #narrator: Narrator;
  readonly #signal: AbortSignal;

  constructor(stage: Stage, narrator: Narrator, signal: AbortSignal) {
    this.#stage = stage;
    this.#narrator = narrator;
    this.#signal = signal;
  }

  /** From the repository to the cluster. */
  async begin(): Promise<Running> {
    const { repository } = this.#stage;
    const narrator = this.#narrator;
    narrator.chapter("A git repository describes what should run");
    narrator.say(`${repository.files} manifests, committed to ${repository.upstream}`);

    narrator.chapter("fluxd starts, with a Kubernetes API server inside it, and syncs");
    const running = await this.#stage.run(this.#signal);
    const { cluster } = running;
    await this.#watchUntil(
      "the first sync",
      running,
      async () =>
        repository.isSynced() &&
        (await isReady(cluster, web, 2)) &&
        (await isReady(cluster, cart, 1)) &&
        (await cluster.get(dashboard)) !== undefined,
    );
    narrator.saw("=", "everything in git is in the cluster; the tag flux-sync marks the commit");
    const { registry } = this.#stage;
    const { daemon } = running;
    registry.onPush((name) => void daemon.noticeImage(registry.host, name).catch(() => undefined));
    return running;
  }

  /** A change, a removal, an edit by hand, and a new image. */
  async goOn(running: Running): Promise<void> {
    await this.#showTree(running.daemon);
    await this.#change(running);
    await this.#remove(running);
    await this.#edit(running);
    await this.#automate(running);
    this.#stage.repository.pull();
  }

  async #showTree(daemon: DemoDaemon): Promise<void> {
    this.#narrator.command("fluxctl tree -n shop");
    this.#narrator.quote(await daemon.ask("tree", "-n", "shop"));
  }

  async #change(running: Running): Promise<void> {
    const { repository, registry } = this.#stage;
    this.#narrator.chapter("A new version: the image of web changes in git");
    repository.edit("shop/web.yaml", { from: "web:1.0.0", to: "web:1.1.0" }, "Release web 1.1.0");
    this.#narrator.say(`pushed: ${registry.host}/web:1.0.0 → 1.1.0`);
    await this.#watchUntil("the new image", running, async () => {
      const { cluster } = running;
      return (
        at(await cluster.get(web), ...image) === `${registry.host}/web:1.1.0` &&
        (await isReady(cluster, web, 2))
      );
    });
    this.#narrator.saw("=", "applied, and rolled out");
  }

  async #remove(running: Running): Promise<void> {
    this.#narrator.chapter("A file is removed from git");
    this.#stage.repository.remove("shop/old-banner.yaml", "Remove the summer banner");
    this.#narrator.say("pushed: without shop/old-banner.yaml");
    await this.#watchUntil(
      "the prune",
      running,
      async () => (await running.cluster.get(banner)) === undefined,
    );
    this.#narrator.saw("=", "pruned from the cluster");
  }

  async #edit(running: Running): Promise<void> {
    const { cluster } = running;
    this.#narrator.chapter("Somebody edits the cluster by hand");
    await cluster.scale(cart, 5);
    this.#narrator.say("scaled: shop/cart from 1 to 5 replicas, not in git");
    const edited = performance.now();
    await this.#watchUntil(
      "the repair",
      running,
      async () => at(await cluster.get(cart), "spec", "replicas") === 1,
    );
    this.#narrator.saw("=", `corrected after ${secondsSince(edited)} s`);
  }

  async #automate(running: Running): Promise<void> {
    const { repository, registry } = this.#stage;
    const { cluster } = running;
    this.#narrator.chapter("A new image appears in the registry, and collector is automated");
    const head = repository.head();
    registry.push("collector:2.7.2");
    this.#narrator.say(`pushed: ${registry.host}/collector:2.7.2, to the registry; git still says 2.7.1`);
    const pushed = performance.now();
    await this.#watchUntil("the automated release", running, () =>
      Promise.resolve(repository.head() !== head),
    );
    this.#narrator.saw("+", `in git after ${secondsSince(pushed)} s, written by fluxd:`);
    this.#narrator.quote(repository.newestCommit());
    await this.#watchUntil(
      "the released image",
      running,
      async () =>
        at(await cluster.get(collector), ...image) === `${registry.host}/collector:2.7.2` &&
        (await isReady(cluster, collector, 1)),
    );
    this.#narrator.saw("=", "committed, applied, and rolled out");
  }

  /** Tells of the cluster while it waits. */
  async #watchUntil(
    what: string,
    { daemon, cluster }: Running,
    isDone: () => Promise<boolean>,
  ): Promise<void> {
    const look = async (): Promise<boolean> => {
      daemon.assertRunning();
      this.#narrator.tell(await cluster.look());
      return isDone();
    };
    await until(what, look, this.#signal);
    // Also report changes after the last check.
    this.#narrator.tell(await cluster.look());
  }
}

async function isReady(cluster: ClusterWatcher, path: string, replicas: number): Promise<boolean> {
  return at(await cluster.get(path), "status", "readyReplicas") === replicas;
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
