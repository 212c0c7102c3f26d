/** Scheduler and kubelet in one: gives pods the one node, lets them run after a moment, and lets them end. */

import { timestamp } from "../../api/api-context.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, keyOf, partsOfKey } from "../../controllers/controller.ts";
import { type Owned, read } from "../../controllers/owned.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { treeOf } from "../../storage/stored-object.ts";
import { ensureTree, isTrueAt, numberAt, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { PodAddresses } from "./pod-addresses.ts";
import { isFinished } from "./pod-facts.ts";
import { type Place, running, starting, succeeded, unschedulable } from "./pod-status.ts";
import { whyUnschedulable } from "./scheduling.ts";

/** What a pod is to become, and when. */
interface Plan {
  readonly step: "run" | "succeed" | "vanish";
  readonly at: number;
}

/** The node on which pods run. */
export interface PodNode {
  readonly name: string;
  readonly addresses: PodAddresses;
  /** How long a pod takes to become ready. */
  readonly readyAfterMs: number;
}

export class PodController implements Controller {
  readonly name = "pod";
  readonly #writer: ClusterWriter;
  readonly #addresses: PodAddresses;
  readonly #node: string;
  readonly #readyAfterMs: number;
  /** By uid: object times are too coarse for moments. */
  readonly #plans = new Map<string, Plan>();

  constructor(writer: ClusterWriter, node: PodNode) {
    this.#writer = writer;
    this.#addresses = node.addresses;
    this.#node = node.name;
    this.#readyAfterMs = node.readyAfterMs;
  }

  keysOf(event: StoreEvent): readonly string[] {
    const { object, type } = event;
    switch (object.bucket) {
      case "pods":
        if (type === "DELETED") {
          this.#plans.delete(object.uid);
          return [];
        }
        return [keyOf(object)];
      // What a pod waited for may be there now.
      case "nodes":
        return this.#waiting("");
      case "persistentvolumeclaims":
        return this.#waiting(object.namespace);
      default:
        return [];
    }
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const { store } = this.#writer.context;
    const stored = store.get("pods", namespace, name);
    const node = store.get("nodes", "", this.#node);
    if (stored === undefined || node === undefined) {
      return undefined;
    }
    const pod = read(stored);
    const nodeName = stringAt(pod.tree, "spec", "nodeName");
    if (nodeName === "") {
      this.#schedule(pod, treeOf(node));
      return undefined;
    }
    return nodeName === this.#node ? this.#step(pod) : undefined;
  }

  #waiting(namespace: string): readonly string[] {
    return this.#writer.context.store
      .bucket("pods")
      .list(namespace)
      .filter((pod) => stringAt(treeOf(pod), "spec", "nodeName") === "")
      .map(keyOf);
  }

  #schedule(pod: Owned, node: Tree): void {
    const { stored, tree } = pod;
    const isGated = treesAt(tree, "spec", "schedulingGates").length > 0;
    if (stored.deleting || isGated || isTrueAt(node, "spec", "unschedulable")) {
      return;
    }
    const { store } = this.#writer.context;
    const why = whyUnschedulable(tree, node, (name) => {
      const claim = store.get("persistentvolumeclaims", stored.namespace, name);
      return claim === undefined ? undefined : treeOf(claim);
    });
    if (why !== undefined) {
      this.#putStatus(pod, unschedulable(tree, why, this.#now()));
      return;
    }
    this.#writer.overwrite(stored, (next) => {
      ensureTree(next, "spec")["nodeName"] = this.#node;
    });
  }

  /** Does what is due for a pod of the node; returns how long the next step is away. */
  #step(pod: Owned): number | undefined {
    const plan = this.#planOf(pod);
    if (plan === undefined) {
      return undefined;
    }
    const left = plan.at - this.#writer.context.clock.now();
    if (left > 0) {
      return left;
    }
    this.#plans.delete(pod.stored.uid);
    switch (plan.step) {
      case "run":
        this.#putStatus(pod, running(pod.tree, this.#placeOf(pod), this.#now()));
        return undefined;
      case "succeed":
        this.#putStatus(pod, succeeded(pod.tree, this.#placeOf(pod), this.#now()));
        return undefined;
      case "vanish":
        this.#writer.delete(pod.stored, { gracePeriodSeconds: 0 });
        return undefined;
    }
  }

  #planOf(pod: Owned): Plan | undefined {
    const { stored, tree } = pod;
    const planned = this.#plans.get(stored.uid);
    if (stored.deleting) {
      // A pod takes its time to end, but never more than it is given.
      const grace = (numberAt(tree, "metadata", "deletionGracePeriodSeconds") ?? 0) * 1000;
      return planned?.step === "vanish" ? planned : this.#plan(stored.uid, "vanish", grace);
    }
    if (planned !== undefined || isFinished(tree)) {
      return planned;
    }
    if (stringAt(tree, "status", "phase") === "Running") {
      const isEndless = stringAt(tree, "spec", "restartPolicy") === "Always";
      return isEndless ? undefined : this.#plan(stored.uid, "succeed");
    }
    this.#putStatus(pod, starting(tree, this.#placeOf(pod), this.#now()));
    return this.#plan(stored.uid, "run");
  }

  #plan(uid: string, step: Plan["step"], mostMs = Number.POSITIVE_INFINITY): Plan {
    const plan = { step, at: this.#writer.context.clock.now() + Math.min(this.#readyAfterMs, mostMs) };
    this.#plans.set(uid, plan);
    return plan;
  }

  #placeOf({ stored, tree }: Owned): Place {
    const { store } = this.#writer.context;
    const node = store.get("nodes", "", this.#node);
    const hostIp = node === undefined ? "" : nodeAddress(treeOf(node));
    const own = stringAt(tree, "status", "podIP");
    const isOnHost = isTrueAt(tree, "spec", "hostNetwork");
    return { hostIp, podIp: own || (isOnHost ? hostIp : this.#addresses.take(stored.uid)) };
  }

  #putStatus({ stored }: Owned, status: Tree): void {
    const { store } = this.#writer.context;
    const current = store.get(stored.bucket, stored.namespace, stored.name);
    if (current?.uid === stored.uid) {
      this.#writer.update(current, "status", (next) => {
        next["status"] = status;
      });
    }
  }

  #now(): string {
    return timestamp(this.#writer.context.clock);
  }
}

function nodeAddress(node: Tree): string {
  const found = treesAt(node, "status", "addresses").find((one) => stringAt(one, "type") === "InternalIP");
  return stringAt(found, "address");
}
