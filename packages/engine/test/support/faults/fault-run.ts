import { messageOf, silentLogger } from "@weir/base";
import { type KubeObject, labelOf } from "@weir/kube";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { FastClock, type FaultEvent, FaultProxy, type KubeEyes, seededFaults, until } from "@weir/testing";
import {
  type ClusterEngine,
  createClusterCache,
  createClusterEngine,
  createMemoryOperationStore,
  SyncAbortedError,
  type SyncResult,
} from "../../../src/index.ts";
import { ownerLabel } from "../engine-rig.ts";
import { Bystanders } from "./bystanders.ts";
import type { SimulatedControllers } from "./simulated-controllers.ts";
import { type Meddling, type Revision, type Story, storyOf } from "./story.ts";
import { differenceOf, hookObject, objectOf, ourOwner, pathOf, type ThingKind } from "./thing.ts";

/** Where runs with faults happen; many share it. */
export interface FaultStage {
  readonly url: string;
  readonly token: string;
  readonly kube: KubeEyes;
  readonly controllers: SimulatedControllers;
}

/** The outcome of a run. */
export interface FaultOutcome {
  /** Empty if everything is as it should be. */
  readonly complaints: readonly string[];
  readonly happened: readonly FaultEvent[];
  /** What the syncs reported. */
  readonly syncs: readonly string[];
}

/** How much time passes with each tick of a run's clock: a minute in about a second. */
const tickMs = 250;
/** How often a revision is synced before the next one comes. */
const attempts = 2;
const syncLimitMs = 180_000;
/**
 * How many syncs the engine may need when the faults are over, and the time between the first two; it doubles. A watch
 * that has become silent is given up after eleven minutes.
 */
const rounds = 7;
const roundMs = 15_000;

/** Acts out the story of a seed in a namespace of its own, and says what is wrong at the end. */
export async function faultRun(seed: number, stage: FaultStage): Promise<FaultOutcome> {
  await using run = await FaultRun.open(storyOf(seed), stage);
  return await run.act();
}

class FaultRun implements AsyncDisposable {
  readonly #story: Story;
  readonly #stage: FaultStage;
  readonly #namespace: string;
  readonly #clock: FastClock;
  readonly #proxy: FaultProxy;
  readonly #bystanders: Bystanders;
  readonly #operations = createMemoryOperationStore();
  #rig: Rig;
  /** The revision of the last sync if it was aborted: the next one goes on with it. */
  #unfinished: string | undefined;
  readonly #syncs: string[] = [];
  /** In how many operations each hook was. */
  readonly #allowed = new Map<string, number>();
  /** How many syncs changed something and succeeded, with each hook. */
  readonly #due = new Map<string, number>();

  static async open(story: Story, stage: FaultStage): Promise<FaultRun> {
    const { url, token } = stage;
    const namespace = `faults-${story.seed}`;
    const metadata = { name: namespace };
    await stage.kube.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
    const bystanders = await Bystanders.place(stage.kube, namespace);
    const clock: FastClock = new FastClock({ tickMs, aheadMs: story.aheadMs, stands: () => proxy.isWorking });
    const proxy: FaultProxy = await FaultProxy.open({ url, token, plan: seededFaults(story.seed), clock });
    return new FaultRun({ story, stage, namespace, clock, proxy, bystanders });
  }

  private constructor({ story, stage, namespace, clock, proxy, bystanders }: Parts) {
    this.#story = story;
    this.#stage = stage;
    this.#namespace = namespace;
    this.#clock = clock;
    this.#proxy = proxy;
    this.#bystanders = bystanders;
    this.#rig = this.#start();
  }

  async act(): Promise<FaultOutcome> {
    for (const [index, revision] of this.#story.revisions.entries()) {
      await this.#bystanders.note(revision, this.#story.revisions[index - 1]);
      await Promise.all([this.#attempt(revision), ...revision.meddling.map((each) => this.#meddle(each))]);
      // What an aborted sync had sent.
      await until("the server to be done", () => !this.#proxy.isWorking);
    }
    this.#proxy.heal();
    const complaints = await this.#settle();
    return {
      complaints: [
        ...complaints,
        ...(await this.#bystanders.complaints()),
        ...(await this.#hookComplaints()),
      ],
      happened: this.#proxy.happened,
      syncs: this.#syncs,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rig.stop();
    await this.#proxy[Symbol.asyncDispose]();
    this.#clock[Symbol.dispose]();
  }

  async #attempt(revision: Revision): Promise<void> {
    for (const meddling of revision.meddling.filter(({ afterMs }) => afterMs === 0)) {
      await this.#bystanders.meddle(meddling);
    }
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const limitMs = attempt === 1 ? (revision.abortAfterMs ?? syncLimitMs) : syncLimitMs;
      const result = await this.#sync(revision, limitMs);
      if (attempt === 1 && revision.restarts) {
        await this.#rig.stop();
        this.#rig = this.#start();
      }
      if (result?.phase === "Succeeded") {
        return;
      }
    }
  }

  async #meddle(meddling: Meddling): Promise<void> {
    if (meddling.afterMs > 0) {
      await this.#clock.sleep(meddling.afterMs);
      await this.#bystanders.meddle(meddling);
    }
  }

  #start(): Rig {
    const clock = this.#clock;
    const credentials = credentialsOf(
      parseKubeConfig(JSON.stringify(kubeconfig(this.#proxy.url)), "kubeconfig"),
      {
        env: {},
      },
    );
    const client = createRestClient({ credentials, userAgent: "weir/test", clock });
    const cache = createClusterCache({
      client,
      discovery: createDiscovery(client, clock),
      managedLabel: { key: ownerLabel },
      namespaces: [this.#namespace],
      clock,
      logger: silentLogger,
      excludes: ({ kind }) => !kinds.includes(kind),
    });
    cache.start();
    const engine = createClusterEngine({ client, cache, clock, operations: this.#operations });
    const over = new AbortController();
    const running = engine.run(over.signal);
    return {
      engine,
      async stop() {
        over.abort();
        await running;
        await cache.stop();
        await client.close();
      },
    };
  }

  /** One sync; undefined if it could not even begin, or was aborted. */
  async #sync(revision: Revision, limitMs: number): Promise<SyncResult | undefined> {
    const { name, things, hooks } = revision;
    const objects = [
      ...things.map((thing) => objectOf(thing, this.#namespace, ourOwner)),
      ...hooks.map((hook) => hookObject(hook, this.#namespace, name)),
    ];
    const goesOn = this.#unfinished === name;
    this.#unfinished = undefined;
    for (const hook of goesOn ? [] : hooks) {
      count(this.#allowed, hook.name);
    }
    const limit = new AbortController();
    const over = new AbortController();
    this.#clock.sleep(limitMs, over.signal).then(
      () => limit.abort(new Error("enough")),
      () => undefined,
    );
    try {
      const result = await this.#rig.engine.sync(
        {
          targets: objects.map((object) => ({ object })),
          isManaged: (live) => labelOf(live, ownerLabel) === ourOwner,
          revision: name,
          prune: "on",
          pruneLimit: "100%",
          generation: this.#story.revisions.indexOf(revision),
        },
        limit.signal,
      );
      this.#note(revision, result);
      return result;
    } catch (error) {
      this.#syncs.push(`${name}: ${messageOf(error)}`);
      this.#unfinished = error instanceof SyncAbortedError ? name : undefined;
      return undefined;
    } finally {
      over.abort();
    }
  }

  #note({ name, hooks }: Revision, { phase, message, resources }: SyncResult): void {
    const failed = resources.flatMap(({ key, error }) =>
      error === undefined ? [] : [`${key.name}: ${error}`],
    );
    this.#syncs.push(`${name}: ${phase}: ${message} ${failed.join("; ")}`);
    const isChange = resources.some(
      ({ key, change }) => key.kind !== "Pod" && change !== "unchanged" && change !== "none",
    );
    if (phase === "Succeeded" && isChange) {
      for (const hook of hooks) {
        count(this.#due, hook.name);
      }
    }
  }

  /** Syncs until everything is as the last revision wants it. */
  async #settle(): Promise<readonly string[]> {
    const last = this.#story.revisions.at(-1);
    let complaints: readonly string[] = ["no sync at all"];
    for (let round = 1; round <= rounds && last !== undefined && complaints.length > 0; round += 1) {
      if (round > 1) {
        await this.#clock.sleep(roundMs * 2 ** (round - 2));
      }
      const result = await this.#sync(last, syncLimitMs);
      complaints = [
        ...(result?.phase === "Succeeded" ? [] : ["the last sync has not succeeded"]),
        ...(await this.#differences(last)),
      ];
    }
    return complaints;
  }

  async #differences({ things }: Revision): Promise<readonly string[]> {
    const lists = await Promise.all(thingKinds.map((kind) => this.#live(kind)));
    const live = lists.flat();
    const wanted = things.flatMap(
      (thing) =>
        differenceOf(
          thing,
          live.find(({ kind, metadata }) => kind === thing.kind && metadata.name === thing.name),
        ) ?? [],
    );
    const left = live
      .filter((object) => labelOf(object, ownerLabel) === ourOwner && !this.#bystanders.includes(object))
      .filter(({ metadata }) => !things.some(({ name }) => name === metadata.name))
      .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ""} was not pruned`);
    return [...wanted, ...left];
  }

  async #live(kind: ThingKind): Promise<readonly KubeObject[]> {
    const list = await this.#stage.kube.get(pathOf(kind, this.#namespace));
    const { items } = list as unknown as { readonly items: readonly KubeObject[] };
    return items.map((item) => ({ ...item, kind }));
  }

  async #hookComplaints(): Promise<readonly string[]> {
    const complaints: string[] = [];
    for (const [name, allowed] of this.#allowed) {
      const runs = await this.#stage.controllers.podsOf(this.#namespace, name);
      if (runs > allowed) {
        complaints.push(`hook ${name} ran ${runs} times in ${allowed} operations`);
      }
      const due = this.#due.get(name) ?? 0;
      if (runs < due) {
        complaints.push(`hook ${name} ran ${runs} times for ${due} syncs that changed something`);
      }
    }
    return complaints;
  }
}

interface Rig {
  readonly engine: ClusterEngine;
  stop(): Promise<void>;
}

interface Parts {
  readonly story: Story;
  readonly stage: FaultStage;
  readonly namespace: string;
  readonly clock: FastClock;
  readonly proxy: FaultProxy;
  readonly bystanders: Bystanders;
}

const thingKinds: readonly ThingKind[] = ["ConfigMap", "Secret", "Deployment"];
const kinds: readonly string[] = [...thingKinds, "Pod"];

/** The proxy has the token. */
function kubeconfig(server: string): object {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "faults",
    clusters: [{ name: "faults", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "us", user: { token: "none" } }],
    contexts: [{ name: "faults", context: { cluster: "faults", user: "us" } }],
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
