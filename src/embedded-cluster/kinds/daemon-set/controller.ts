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
import { ensureTree, nodeAt, numberAt, stringAt, stringMapAt, type Tree, treeAt } from "../../tree.ts";
import { countOf } from "../deployment/rollout.ts";
import { countPods, isActive, isReady } from "../pod/pod-facts.ts";
import { podFromTemplate } from "../pod/pod-template.ts";

const bucket = "daemonsets.apps";

/** Keeps one pod of each DaemonSet on each node that its template selects. */
export class DaemonSetController implements Controller {
  readonly name = "daemon-set";
  readonly #writer: ClusterWriter;
  readonly #index: OwnerIndex;

  constructor(writer: ClusterWriter, index: OwnerIndex) {
    this.#writer = writer;
    this.#index = index;
  }

  keysOf(event: StoreEvent): readonly string[] {
    if (event.object.bucket === "nodes") {
      const all = this.#writer.context.store.bucket(bucket).list("");
      return all.map(({ namespace, name }) => `${namespace}/${name}`);
    }
    return concernedOwners(event, { bucket, owned: "pods" }, this.#index);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOfKey(key);
    const stored = this.#writer.context.store.get(bucket, namespace, name);
    if (stored === undefined) {
      return undefined;
    }
    const set = read(stored);
    const revision = syncRevisions(this.#writer, this.#index, set).at(-1);
    const pods = claim(this.#writer, this.#index, set, "pods");
    if (revision === undefined) {
      return undefined;
    }
    const nodes = this.#nodesOf(set.tree);
    if (!stored.deleting) {
      this.#place(set, pods, nodes, revision);
      this.#update(set, pods.filter(isActive), revision);
    }
    return this.#report(set, nodes, revision);
  }

  #nodesOf(set: Tree): readonly string[] {
    const selector = stringMapAt(set, "spec", "template", "spec", "nodeSelector");
    return this.#writer.context.store
      .bucket("nodes")
      .list("")
      .filter(({ labels }) => [...selector].every(([key, value]) => labels[key] === value))
      .map(({ name }) => name);
  }

  #place(set: Owned, pods: readonly Owned[], nodes: readonly string[], revision: Revision): void {
    const served = new Map(pods.map((pod) => [nodeOf(pod), pod]));
    for (const node of nodes.filter((name) => !served.has(name))) {
      this.#writer.create(daemonPod(set.tree, node, revision));
    }
    for (const [node, pod] of served) {
      if (!pod.stored.deleting && (!nodes.includes(node) || !isActive(pod))) {
        this.#writer.delete(pod.stored);
      }
    }
  }

  /** Replaces pods of an outdated template, as many at a time as may be missing. */
  #update(set: Owned, pods: readonly Owned[], revision: Revision): void {
    if (stringAt(set.tree, "spec", "updateStrategy", "type") !== "RollingUpdate") {
      return;
    }
    const most = nodeAt(set.tree, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
    const outdated = pods.filter(({ stored }) => stored.labels[revisionLabel] !== revision.hash);
    const missing = pods.filter(({ tree }) => !isReady(tree)).length;
    const room = Math.max(1, countOf(most, pods.length, Math.ceil)) - missing;
    const idle = outdated.filter(({ tree }) => !isReady(tree));
    const serving = outdated.filter(({ tree }) => isReady(tree)).slice(0, Math.max(0, room));
    [...idle, ...serving].forEach(({ stored }) => this.#writer.delete(stored));
  }

  #report(set: Owned, nodes: readonly string[], revision: Revision): number | undefined {
    const pods = this.#index
      .dependentsOf(set.stored.uid)
      .filter((one) => one.bucket === "pods")
      .map(read)
      .filter(isActive);
    const scheduled = pods.filter((pod) => nodes.includes(nodeOf(pod)));
    const minReady = numberAt(set.tree, "spec", "minReadySeconds") ?? 0;
    const { ready, available, next } = countPods(scheduled, minReady, this.#writer.context.clock.now());
    const counts = {
      currentNumberScheduled: scheduled.length,
      numberMisscheduled: pods.length - scheduled.length,
      desiredNumberScheduled: nodes.length,
      numberReady: ready,
      observedGeneration: numberAt(set.tree, "metadata", "generation") ?? 0,
      updatedNumberScheduled: scheduled.filter(({ stored }) => stored.labels[revisionLabel] === revision.hash)
        .length,
      numberAvailable: available,
      numberUnavailable: nodes.length - available,
    };
    this.#writer.update(set.stored, "status", (tree) =>
      setCounts(ensureTree(tree, "status"), counts, [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
      ]),
    );
    forgetRevisions(this.#writer, this.#index, set, new Set([revision.name]));
    return next;
  }
}

function nodeOf({ tree }: Owned): string {
  return stringAt(tree, "spec", "nodeName");
}

function daemonPod(set: Tree, node: string, revision: Revision): Tree {
  const pod = podFromTemplate(set, treeAt(set, "spec", "template") ?? {});
  const generation = stringAt(set, "metadata", "annotations", "deprecated.daemonset.template.generation");
  ensureTree(pod, "spec")["nodeName"] = node;
  Object.assign(ensureTree(ensureTree(pod, "metadata"), "labels"), {
    [revisionLabel]: revision.hash,
    ...(generation === "" ? {} : { "pod-template-generation": generation }),
  });
  return pod;
}
