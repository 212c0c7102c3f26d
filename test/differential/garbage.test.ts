import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Planner, planOptionsOf, tasksOf } from "@weir/engine/plan";
import { makeResourceId, type Resource, type SyncSet } from "@weir/flux";
import { type KubeObject, keyOf } from "@weir/kube";
import fc from "fast-check";
import { prepareSync, usualRules } from "../../src/engine-adapter/prepare-sync.ts";
import { TargetMaker } from "../../src/engine-adapter/target-set.ts";
import {
  fluxCollects,
  type GitThing,
  idOf,
  isLeftOut,
  type LiveThing,
  mark,
} from "./support/garbage-model.ts";
import {
  type Flags,
  markLabel,
  openCache,
  type ServedVersion,
  served,
  shownIn,
  watchedVersions,
} from "./support/garbage-world.ts";

const runs = 100_000;
const syncSetName = "set";
const usualExcludes = ["*metrics.k8s.io/*", "webhook.certmanager.k8s.io/*", "v1/Event"];
const someKinds = ["v1 ConfigMap", "a.example.test/v1 Widget", "v1 Namespace", "v1 Configmap"];
const otherKinds = [
  "v1 Endpoints",
  "b.example.test/v1 Widget",
  "extensions/v1beta1 Ingress",
  "autoscaling/v1 Scaler",
  "v1 Event",
  "rbac.authorization.k8s.io/v1 ClusterRole",
];

const starts: readonly Flags[] = [
  { allowedNamespaces: [], excludes: usualExcludes, inGit: someKinds },
  { allowedNamespaces: [], excludes: usualExcludes, inGit: otherKinds },
  { allowedNamespaces: ["team"], excludes: usualExcludes, inGit: [...someKinds, ...otherKinds] },
  { allowedNamespaces: [], excludes: ["v1/ConfigMap", "*/Widget"], inGit: [...someKinds, ...otherKinds] },
  { allowedNamespaces: [], excludes: ["autoscaling/v2/*", "a.example.test/v1/Widget"], inGit: otherKinds },
  { allowedNamespaces: ["team"], excludes: ["networking.k8s.io/*", "b*/Widget", "v1/"], inGit: someKinds },
  { allowedNamespaces: [], excludes: ["extensions/*", "c.example.test/v1/WIDGET"], inGit: someKinds },
  { allowedNamespaces: [], excludes: ["*"], inGit: [...someKinds, ...otherKinds] },
  { allowedNamespaces: [], excludes: [], inGit: ["v1 ConfigMap"] },
  { allowedNamespaces: ["team", "other"], excludes: ["*/v1/*"], inGit: [...someKinds, ...otherKinds] },
];

const stores = [...new Map(served.map((each) => [each.store, each])).values()];
const namespaces = ["team", "other"];
const names = ["a", "team"];
const marks = ["ours", "ours", "ours", "ours", "of another set", "of another ID", "empty", "none"] as const;
const annotations: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  {},
  {},
  { "fluxcd.io/ignore": "true" },
  { "fluxcd.io/ignore": "sync_only" },
  { "fluxcd.io/ignore": "false" },
  { "flux.weave.works/ignore": "true" },
];

/** Reads one number as a choice from each list, so that states shrink and are made quickly. */
class Choices {
  #left: number;

  constructor(number: number) {
    this.#left = number;
  }

  from<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = list[this.#left % list.length];
    this.#left = Math.floor(this.#left / list.length);
    assert.ok(chosen !== undefined);
    return chosen;
  }
}

interface Live extends LiveThing {
  readonly deleting: boolean;
  readonly version: ServedVersion;
}

function liveOf(number: number, uid: string): Live {
  const choices = new Choices(number);
  const version = choices.from(stores);
  const namespace = choices.from(namespaces);
  const name = choices.from(names);
  const id = idOf({ namespace: version.namespaced ? namespace : "<cluster>", kind: version.kind, name });
  const values = {
    ours: { [markLabel]: mark(syncSetName, id) },
    "of another set": { [markLabel]: mark("another", id) },
    "of another ID": { [markLabel]: mark(syncSetName, `${id}-other`) },
    empty: { [markLabel]: "" },
    none: {},
  };
  return {
    uid,
    version,
    store: version.store,
    namespace: version.namespaced ? namespace : "",
    name,
    labels: values[choices.from(marks)],
    annotations: choices.from(annotations),
    owned: choices.from([false, false, false, false, true]),
    deleting: choices.from([false, false, false, false, false, false, true]),
  };
}

interface Wanted extends GitThing {
  readonly isServed: boolean;
  readonly resource: Resource;
}

function wantedOf(number: number, inGit: readonly string[]): Wanted {
  const choices = new Choices(number);
  const [apiVersion = "", kind = ""] = choices.from(inGit).split(" ");
  const version = served.find((each) => each.groupVersion === apiVersion && each.kind === kind);
  const isNamespaced = version?.namespaced !== false;
  const namespace = isNamespaced ? choices.from(namespaces) : "<cluster>";
  const name = choices.from(names);
  const metadata = isNamespaced ? { name, namespace } : { name };
  const resource: Resource = {
    id: makeResourceId(namespace, kind, name),
    source: "a.yaml",
    bytes: JSON.stringify({ apiVersion, kind, metadata }),
    policies: choices.from([false, false, true]) ? { ignore: "true" } : {},
  };
  return { namespace, kind, name, isServed: version !== undefined, resource };
}

/** Why Weir keeps what Flux v1 deletes. */
function isKeptByWeir(live: Live, wanted: readonly Wanted[], { allowedNamespaces }: Flags): boolean {
  const { kind, namespaced } = live.version;
  const isForeignNamespace =
    kind === "Namespace" && allowedNamespaces.length > 0 && !allowedNamespaces.includes(live.name);
  const id = idOf({ namespace: namespaced ? live.namespace : "<cluster>", kind, name: live.name });
  const isOfUnknownKind = wanted.some((each) => !each.isServed && idOf(each) === id);
  return kind === "Event" || isForeignNamespace || isOfUnknownKind || live.deleting;
}

/** True for a Namespace that contains something in git: Flux v1 deletes both, Weir keeps both. */
function isNeeded(live: Live, wanted: readonly Wanted[]): boolean {
  return isNamespace(live) && wanted.some(({ isServed, namespace }) => isServed && namespace === live.name);
}

/**
 * True for a Namespace that contains another marked object that isn't deleted: it depends on who keeps that object,
 * and why, whether the Namespace stays.
 */
function isOccupied(live: Live, lives: readonly Live[], pruned: readonly string[]): boolean {
  return (
    isNamespace(live) &&
    lives.some(
      ({ uid, namespace, labels }) =>
        namespace === live.name && labels[markLabel] !== undefined && !pruned.includes(uid),
    )
  );
}

function isNamespace({ version }: Live): boolean {
  return version.kind === "Namespace";
}

/** One fluxd, whose cluster and repository are set to one state after the other. */
class Rig implements AsyncDisposable {
  readonly #flags: Flags;
  readonly #cache: Awaited<ReturnType<typeof openCache>>;
  readonly #planner: Planner;
  readonly #targets: TargetMaker;
  readonly #watched: readonly ServedVersion[];
  #shown: readonly KubeObject[] = [];
  #version = 1;

  static async open(flags: Flags): Promise<Rig> {
    return new Rig(flags, await openCache(flags));
  }

  private constructor(flags: Flags, cache: Awaited<ReturnType<typeof openCache>>) {
    this.#flags = flags;
    this.#cache = cache;
    this.#planner = new Planner({
      cache,
      schemas: { schemaFor: () => Promise.resolve(undefined) },
    });
    this.#targets = new TargetMaker(new Set(flags.allowedNamespaces));
    this.#watched = [...watchedVersions(flags).values()];
  }

  /** The uids of what a sync deletes. */
  prunes(lives: readonly Live[], wanted: readonly Wanted[]): readonly string[] {
    this.#show(lives);
    const set: SyncSet = {
      name: syncSetName,
      revision: "r",
      resources: new Map(
        wanted.flatMap(({ isServed, resource }) => (isServed ? [[resource.id, resource] as const] : [])),
      ),
      heldBack: wanted.flatMap(({ isServed, resource }) => (isServed ? [] : [resource.id])),
      complete: true,
    };
    const { request } = prepareSync(set, this.#targets.make(set), {
      cache: this.#cache,
      allowedNamespaces: new Set(this.#flags.allowedNamespaces),
      prune: "on",
      ...usualRules,
    });
    const { targets, isManaged, revision } = request;
    const run = { revision, startedAt: 0 };
    const plan = this.#planner.planNow({ targets, isManaged, run, options: planOptionsOf(request) });
    return tasksOf(plan).flatMap((task) => (task.action === "prune" ? [task.live.metadata.uid ?? ""] : []));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cache.stop();
  }

  #show(lives: readonly Live[]): void {
    for (const object of this.#shown) {
      this.#cache.observeDeleted(keyOf(object));
    }
    this.#shown = lives.flatMap((live) =>
      this.#watched.filter(({ store }) => store === live.store).map((version) => this.#object(live, version)),
    );
    for (const object of this.#shown) {
      this.#cache.observe(object);
    }
  }

  #object(live: Live, version: ServedVersion): KubeObject {
    const { uid, namespace, name, labels, annotations, owned, deleting } = live;
    this.#version += 1;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "owner" };
    return shownIn(version, {
      uid,
      name,
      resourceVersion: String(this.#version),
      labels,
      annotations,
      ...(namespace === "" ? {} : { namespace }),
      ...(owned ? { ownerReferences: [owner] } : {}),
      ...(deleting ? { deletionTimestamp: "2020-01-01T00:00:00Z" } : {}),
    });
  }
}

function distinct(numbers: readonly number[]): readonly Live[] {
  const lives = numbers.map((number, index) => liveOf(number, `uid-${index}`));
  return [...new Map(lives.map((live) => [`${live.store}/${live.namespace}/${live.name}`, live])).values()];
}

describe("garbage collection beside that of Flux v1", () => {
  for (const flags of starts) {
    const title = `--k8s-unsafe-exclude-resource=${flags.excludes.join()} in [${flags.allowedNamespaces.join()}]`;

    it(`deletes what Flux deletes and nothing else: ${title}, ${flags.inGit.length} kinds in git`, async () => {
      await using rig = await Rig.open(flags);
      const [state, target] = [fc.nat(0x7fff_ffff), fc.nat(10_000)];
      let deleted = 0;

      fc.assert(
        fc.property(fc.array(state, { maxLength: 7 }), fc.array(target, { maxLength: 4 }), (some, others) => {
          const lives = distinct(some);
          const wanted = others.map((number) => wantedOf(number, flags.inGit));
          const git = wanted.filter(({ isServed }) => isServed);
          const collected = fluxCollects({ served, lives, git }, syncSetName, flags);

          const pruned = rig.prunes(lives, wanted);

          deleted += pruned.length;
          for (const uid of pruned) {
            const live = lives.find((each) => each.uid === uid);
            assert.ok(live !== undefined && collected.has(uid), "Flux deletes it");
            assert.ok((live.labels[markLabel] ?? "") !== "", "it was marked");
            const versions = served.filter(({ store }) => store === live.store);
            assert.ok(!versions.every((each) => isLeftOut(each, flags.excludes)), "it is not excluded");
          }
          const isEmpty = !git.some(({ namespace, name, kind }) =>
            isGitAllowed({ namespace, name, kind }, flags.allowedNamespaces),
          );
          const decided = lives.filter((live) => !isOccupied(live, lives, pruned));
          const expected = decided.filter(
            (live) =>
              !isEmpty &&
              collected.has(live.uid) &&
              !isKeptByWeir(live, wanted, flags) &&
              !isNeeded(live, wanted),
          );
          const found = decided.filter(({ uid }) => pruned.includes(uid));
          assert.deepEqual(found, expected);
          assert.ok(
            !lives.some((live) => isNeeded(live, wanted) && pruned.includes(live.uid)),
            "it is needed",
          );
        }),
        { numRuns: runs / starts.length },
      );
      assert.equal(deleted > 0, !flags.excludes.includes("*"), `${deleted} were deleted`);
    });
  }
});

function isGitAllowed({ namespace, kind, name }: GitThing, allowed: readonly string[]): boolean {
  const place = kind === "Namespace" ? name : namespace;
  return (
    allowed.length === 0 || (namespace === "<cluster>" && kind !== "Namespace") || allowed.includes(place)
  );
}
