import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, partsOfKey } from "../../controllers/controller.ts";
import {
  forgetRevisions,
  type Revision,
  revisionLabel,
  syncRevisions,
} from "../../controllers/controller-revisions.ts";
import { claim, concernedOwners, type Owned, read } from "../../controllers/owned.ts";
import type { OwnerIndex } from "../../controllers/owner-index.ts";
import { setCounts } from "../../controllers/status-counts.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { ensureTree, numberAt, stringAt } from "../../tree.ts";
import { countPods, isActive, isReady } from "../pod/pod-facts.ts";
import { isOldTemplate, planStateful } from "./stateful-plan.ts";
import { claimsFor, ordinalOf, statefulPod, wantedOrdinals } from "./stateful-pod.ts";

const bucket = "statefulsets.apps";

interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
}

/** Keeps the numbered pods of StatefulSets. */
export class StatefulSetController implements Controller {
  readonly name = "stateful-set";
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;

  constructor(writer: ClusterWriter, index: OwnerIndex) {
    this.#writer = writer;
    this.#index = index;
  }

  keysOf(event: StoreEvent): readonly string[] {
    return concernedOwners(event, { bucket, owned: "pods" }, this.#index);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const stored = this.#writer.context.store.get(bucket, namespace, name);
    if (stored === undefined) {
      return undefined;
    }
    const set = read(stored);
    const revisions = this.#revisions(set);
    if (revisions === undefined) {
      return undefined;
    }
    this.#sweep(set);
    if (!stored.deleting) {
      this.#step(set, revisions);
    }
    return this.#report(set, revisions);
  }

  #revisions(set: Owned): Revisions | undefined {
    const all = syncRevisions(this.#writer, this.#index, set);
    const update = all.at(-1);
    const name = stringAt(set.tree, "status", "currentRevision");
    const current = all.find((revision) => revision.name === name) ?? update;
    return update === undefined || current === undefined ? undefined : { current, update };
  }

  /** Pods that ended are made anew. */
  #sweep(set: Owned): void {
    for (const pod of claim(this.#writer, this.#index, set, "pods")) {
      if (!isActive(pod) && !pod.stored.deleting) {
        this.#writer.delete(pod.stored);
      }
    }
  }

  #step(set: Owned, { current, update }: Revisions): void {
    const pods = this.#podsOf(set);
    const states = [...pods].map(([ordinal, { stored, tree }]) => ({
      ordinal,
      revision: stored.labels[revisionLabel] ?? "",
      isReady: isReady(tree),
      isDeleting: stored.deleting,
    }));
    const plan = planStateful(set.tree, wantedOrdinals(set.tree), states, update.name);
    for (const ordinal of plan.create) {
      claimsFor(set.tree, ordinal).forEach((one) => this.#writer.create(one));
      const revision = isOldTemplate(set.tree, ordinal) ? current : update;
      this.#writer.create(statefulPod(set.tree, ordinal, revision));
    }
    for (const ordinal of plan.remove) {
      const pod = pods.get(ordinal);
      if (pod !== undefined) {
        this.#writer.delete(pod.stored);
      }
    }
  }

  #podsOf({ stored }: Owned): ReadonlyMap<number, Owned> {
    const pods = this.#index.dependentsOf(stored.uid).filter((one) => one.bucket === "pods");
    return new Map(
      pods.flatMap((pod) => {
        const ordinal = ordinalOf(stored.name, pod.name);
        return ordinal === undefined ? [] : [[ordinal, read(pod)] as const];
      }),
    );
  }

  #report(set: Owned, { current, update }: Revisions): number | undefined {
    const { clock } = this.#writer.context;
    const pods = [...this.#podsOf(set).values()].filter(isActive);
    const minReady = numberAt(set.tree, "spec", "minReadySeconds") ?? 0;
    const { ready, available, next } = countPods(pods, minReady, clock.now());
    const of = (revision: Revision): number =>
      pods.filter(({ stored }) => stored.labels[revisionLabel] === revision.name).length;
    const wanted = wantedOrdinals(set.tree).length;
    const isDone = of(update) === wanted && ready === wanted && pods.length === wanted;
    const now = isDone ? update : current;
    const counts = {
      observedGeneration: numberAt(set.tree, "metadata", "generation") ?? 0,
      replicas: pods.length,
      readyReplicas: ready,
      currentReplicas: of(now),
      updatedReplicas: of(update),
      availableReplicas: available,
      collisionCount: numberAt(set.tree, "status", "collisionCount") ?? 0,
    };
    this.#writer.update(set.stored, "status", (tree) => {
      const status = ensureTree(tree, "status");
      setCounts(status, counts, ["replicas", "availableReplicas", "collisionCount"]);
      status["currentRevision"] = now.name;
      status["updateRevision"] = update.name;
    });
    const used = pods.map(({ stored }) => stored.labels[revisionLabel] ?? "");
    forgetRevisions(this.#writer, this.#index, set, new Set([now.name, update.name, ...used]));
    return next;
  }
}
