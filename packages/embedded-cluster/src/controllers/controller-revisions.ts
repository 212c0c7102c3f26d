/** The history of the templates of StatefulSets and DaemonSets, kept as ControllerRevisions. */
import {
  cloneNode,
  drop,
  ensureTree,
  numberAt,
  semanticallyEqual,
  stringAt,
  type Tree,
  treeAt,
} from "../tree.ts";
import type { ClusterWriter } from "./cluster-writer.ts";
import { controllerReference, type Owned, type OwnerTools, read } from "./owned.ts";
import type { OwnerIndex } from "./owner-index.ts";
import { templateHash } from "./template-hash.ts";

const bucket = "controllerrevisions.apps";

/** The label that tells pods of different templates apart. */
export const revisionLabel = "controller-revision-hash";

/** One template of a workload. */
export interface Revision {
  /** The name of its ControllerRevision. */
  readonly name: string;
  readonly hash: string;
  readonly template: Tree;
}

/** The revisions of a workload, the latest of its template last; that one is made where it is missing. */
export function syncRevisions({ writer, index }: OwnerTools, owner: Owned): readonly Revision[] {
  const data = dataOf(owner.tree);
  const known = revisionsOf(index, owner);
  const newest = Math.max(0, ...known.map(numberOf));
  const same = known.find(({ tree }) => semanticallyEqual(tree["data"], data));
  if (same === undefined) {
    makeRevision(writer, owner, data, newest + 1);
  } else if (numberOf(same) < newest) {
    // Back to an earlier template: it is the latest again.
    writer.update(same.stored, "", (tree) => {
      tree["revision"] = newest + 1;
    });
  }
  return revisionsOf(index, owner).map(describe);
}

/** Deletes the oldest revisions beyond a limit, but for those in use. */
export function forgetRevisions(
  { writer, index }: OwnerTools,
  owner: Owned,
  used: ReadonlySet<string>,
): void {
  const limit = numberAt(owner.tree, "spec", "revisionHistoryLimit") ?? 10;
  const idle = revisionsOf(index, owner).filter(({ stored }) => !used.has(stored.name));
  idle.slice(0, Math.max(0, idle.length - limit)).forEach(({ stored }) => writer.delete(stored));
}

function revisionsOf(index: OwnerIndex, owner: Owned): readonly Owned[] {
  return index
    .dependentsOf(owner.stored.uid)
    .filter((stored) => stored.bucket === bucket && !stored.deleting)
    .map(read)
    .sort((a, b) => numberOf(a) - numberOf(b));
}

function makeRevision(writer: ClusterWriter, owner: Owned, data: Tree, revision: number): void {
  const hash = templateHash(data, numberAt(owner.tree, "status", "collisionCount") ?? 0);
  const labels = treeAt(owner.tree, "spec", "template", "metadata", "labels");
  writer.create({
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${owner.stored.name}-${hash}`,
      namespace: owner.stored.namespace,
      labels: { ...labels, [revisionLabel]: hash },
      ownerReferences: [controllerReference(owner.tree)],
    },
    data: cloneNode(data),
    revision,
  });
}

/** What a revision keeps: the template, as a patch that replaces it whole. */
function dataOf(workload: Tree): Tree {
  const template = treeAt(workload, "spec", "template") ?? {};
  return { spec: { template: { ...template, $patch: "replace" } } };
}

function describe({ stored, tree }: Owned): Revision {
  const template = ensureTree(ensureTree(ensureTree(tree, "data"), "spec"), "template");
  drop(template, "$patch");
  return { name: stored.name, hash: stringAt(tree, "metadata", "labels", revisionLabel), template };
}

function numberOf({ tree }: Owned): number {
  return numberAt(tree, "revision") ?? 0;
}
