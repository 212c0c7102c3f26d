import { timestamp } from "../../api/api-context.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, keyOfEvent, partsOfKey } from "../../controllers/controller.ts";
import { claim, type Owned, ownerKeys, read } from "../../controllers/owned.ts";
import type { OwnerIndex } from "../../controllers/owner-index.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { ensureTree, isTrueAt, numberAt, stringAt, type Tree } from "../../tree.ts";
import { wantedReplicas } from "../pod/pod-facts.ts";
import { dueIn, isComplete, updateStatus } from "./deployment-status.ts";
import {
  annotationsFor,
  isOfTemplate,
  minReadyOf,
  newReplicaSet,
  revisionOf,
  rolloutAnnotations,
} from "./new-replica-set.ts";
import { limitsOf, newSetSize, oldSetSizes, type SetSize, sum } from "./rollout.ts";

const bucket = "deployments.apps";

const sets = "replicasets.apps";

interface Sets {
  readonly current: Owned | undefined;
  /** Oldest first. */
  readonly old: readonly Owned[];
}

/** Rolls Deployments out, one step per look. */
export class DeploymentController implements Controller {
  readonly name = "deployment";
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;

  constructor(writer: ClusterWriter, index: OwnerIndex) {
    this.#writer = writer;
    this.#index = index;
  }

  keysOf(event: StoreEvent): readonly string[] {
    const { object, previous } = event;
    if (object.bucket === bucket) {
      return [keyOfEvent(event)];
    }
    if (object.bucket !== sets) {
      return [];
    }
    const { store } = this.#writer.context;
    const owners = [...object.owners, ...(previous?.owners ?? [])].map((uid) => this.#index.get(uid));
    return object.owners.length === 0
      ? store
          .bucket(bucket)
          .list(object.namespace)
          .map(({ namespace, name }) => `${namespace}/${name}`)
      : ownerKeys(owners, bucket);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const { store, clock } = this.#writer.context;
    const stored = store.get(bucket, namespace, name);
    if (stored === undefined) {
      return undefined;
    }
    const deployment = read(stored);
    const found = this.#setsOf(deployment);
    const isNew = !stored.deleting && this.#move(deployment, found);
    const reported = this.#report(stored.uid, isNew);
    return reported === undefined ? undefined : dueIn(reported, ensureTree(reported, "status"), clock.now());
  }

  #setsOf(deployment: Owned): Sets {
    const all = claim(this.#writer, this.#index, deployment, sets).sort(
      (a, b) => revisionOf(a.tree) - revisionOf(b.tree) || (a.stored.name < b.stored.name ? -1 : 1),
    );
    const current = all.find(({ tree }) => isOfTemplate(tree, deployment.tree));
    return { current, old: all.filter((set) => set !== current) };
  }

  /** A paused Deployment goes on with what it has, and only follows its replicas. */
  #move(deployment: Owned, { current, old }: Sets): boolean {
    if (!isTrueAt(deployment.tree, "spec", "paused")) {
      return this.#roll(deployment, { current, old });
    }
    const active = [...old, ...(current === undefined ? [] : [current])].filter(
      ({ tree }) => wantedReplicas(tree) > 0,
    );
    const [only, ...others] = active.length === 0 && current !== undefined ? [current] : active;
    if (only !== undefined && others.length === 0) {
      this.#resize(only, wantedReplicas(deployment.tree));
    }
    return false;
  }

  /** One step of the rollout; true where the current ReplicaSet was made in it. */
  #roll(deployment: Owned, { current, old }: Sets): boolean {
    const isRecreate = stringAt(deployment.tree, "spec", "strategy", "type") === "Recreate";
    if (isRecreate && old.some(({ tree }) => wantedReplicas(tree) > 0 || podsOf(tree) > 0)) {
      old.forEach((set) => this.#resize(set, 0));
      return false;
    }
    const made = this.#currentSet(deployment, current, old);
    const size = sizeOf(made);
    const limits = limitsOf(deployment.tree);
    const isResized = this.#resize(
      made,
      newSetSize(limits, size.wanted, sum([size, ...old.map(sizeOf)].map(({ wanted }) => wanted))),
    );
    if (!isResized) {
      const sizes = oldSetSizes(limits, size, old.map(sizeOf));
      old.forEach((set) => this.#resize(set, sizes.get(set.stored.name) ?? wantedReplicas(set.tree)));
    }
    if (isComplete(deployment.tree)) {
      this.#forgetOldest(deployment.tree, old);
    }
    return current === undefined;
  }

  /** The ReplicaSet of the current template, made where it is missing, with the annotations that it should have. */
  #currentSet(deployment: Owned, current: Owned | undefined, old: readonly Owned[]): Owned {
    const { tree } = deployment;
    const { replicas, maxSurge } = limitsOf(tree);
    const newest = Math.max(0, ...old.map((set) => revisionOf(set.tree)));
    const revision = Math.max(newest + 1, current === undefined ? 0 : revisionOf(current.tree));
    const sizes = { desired: replicas, max: replicas + maxSurge };
    const made = current ?? this.#makeSet(tree, old);
    const updated = this.#writer.update(made.stored, "", (set) => {
      ensureTree(set, "metadata")["annotations"] = annotationsFor(tree, set, revision, sizes);
      ensureTree(set, "spec")["minReadySeconds"] = minReadyOf(tree) || undefined;
    });
    this.#writer.update(deployment.stored, "status", (next) => {
      ensureTree(ensureTree(next, "metadata"), "annotations")[rolloutAnnotations.revision] = String(revision);
    });
    return read(updated);
  }

  #makeSet(deployment: Tree, old: readonly Owned[]): Owned {
    const wanted = sum(old.map(({ tree }) => wantedReplicas(tree)));
    const set = newReplicaSet(deployment);
    ensureTree(set, "spec")["replicas"] = newSetSize(limitsOf(deployment), 0, wanted);
    const made = this.#writer.create(set);
    if (made === undefined) {
      this.#countCollision(deployment);
      throw new Error(`the name of a ReplicaSet of ${stringAt(deployment, "metadata", "name")} is taken`);
    }
    return read(made);
  }

  /** The next try makes another hash of the same template. */
  #countCollision(deployment: Tree): void {
    const stored = this.#index.get(stringAt(deployment, "metadata", "uid"));
    if (stored !== undefined) {
      this.#writer.update(stored, "status", (next) => {
        const status = ensureTree(next, "status");
        status["collisionCount"] = (numberAt(status, "collisionCount") ?? 0) + 1;
      });
    }
  }

  /** True where the set has another size than before. */
  #resize({ stored, tree }: Owned, replicas: number): boolean {
    if (wantedReplicas(tree) === replicas) {
      return false;
    }
    this.#writer.update(stored, "", (set) => {
      ensureTree(set, "spec")["replicas"] = replicas;
    });
    return true;
  }

  #forgetOldest(deployment: Tree, old: readonly Owned[]): void {
    const limit = numberAt(deployment, "spec", "revisionHistoryLimit") ?? 10;
    const idle = old.filter(
      ({ stored, tree }) => !stored.deleting && wantedReplicas(tree) === 0 && podsOf(tree) === 0,
    );
    idle.slice(0, Math.max(0, idle.length - limit)).forEach(({ stored }) => this.#writer.delete(stored));
  }

  #report(uid: string, isNew: boolean): Tree | undefined {
    const stored = this.#index.get(uid);
    if (stored === undefined) {
      return undefined;
    }
    const all = this.#index
      .dependentsOf(uid)
      .filter((one) => one.bucket === sets)
      .map(read);
    const deployment = read(stored);
    const current = all.find(({ tree }) => isOfTemplate(tree, deployment.tree));
    const old = all.filter((set) => set !== current).map(({ tree }) => tree);
    const written = this.#writer.update(stored, "status", (next) =>
      updateStatus(next, { current: current?.tree, old, isNew }, timestamp(this.#writer.context.clock)),
    );
    return read(written).tree;
  }
}

function sizeOf({ stored, tree }: Owned): SetSize {
  return {
    name: stored.name,
    wanted: wantedReplicas(tree),
    available: numberAt(tree, "status", "availableReplicas") ?? 0,
  };
}

function podsOf(set: Tree): number {
  return numberAt(set, "status", "replicas") ?? 0;
}
