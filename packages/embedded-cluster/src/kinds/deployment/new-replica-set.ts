import { controllerReference } from "../../controllers/owned.ts";
import { templateHash } from "../../controllers/template-hash.ts";
import {
  cloneNode,
  numberAt,
  semanticallyEqual,
  stringAt,
  stringMapAt,
  type Tree,
  treeAt,
} from "../../tree.ts";

/** The label by which the pods of different templates are told apart. */
export const hashLabel = "pod-template-hash";

const prefix = "deployment.kubernetes.io";

/** The annotations that tell the history and the aims of a rollout. */
export const rolloutAnnotations = {
  revision: `${prefix}/revision`,
  desired: `${prefix}/desired-replicas`,
  max: `${prefix}/max-replicas`,
} as const;

/** The ReplicaSet for the template of a Deployment, without its replicas. */
export function newReplicaSet(deployment: Tree): Tree {
  const template = cloneNode<Tree>(treeAt(deployment, "spec", "template") ?? {});
  const hash = templateHash(template, numberAt(deployment, "status", "collisionCount") ?? 0);
  const name = stringAt(deployment, "metadata", "name");
  const labels = { ...treeAt(template, "metadata", "labels"), [hashLabel]: hash };
  const selector = treeAt(deployment, "spec", "selector") ?? {};
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name.slice(0, 252 - hash.length)}-${hash}`,
      namespace: stringAt(deployment, "metadata", "namespace"),
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      ...(minReadyOf(deployment) === 0 ? {} : { minReadySeconds: minReadyOf(deployment) }),
      selector: { ...selector, matchLabels: { ...treeAt(selector, "matchLabels"), [hashLabel]: hash } },
      template: { ...template, metadata: { ...treeAt(template, "metadata"), labels } },
    },
  };
}

/** For how many seconds pods of a workload must be ready to count as available. */
export function minReadyOf(workload: Tree): number {
  return numberAt(workload, "spec", "minReadySeconds") ?? 0;
}

/** True where a ReplicaSet was made from the template that the Deployment has now. */
export function isOfTemplate(set: Tree, deployment: Tree): boolean {
  const labels = Object.entries(treeAt(set, "spec", "template", "metadata", "labels") ?? {});
  const template = treeAt(set, "spec", "template") ?? {};
  const without = {
    ...template,
    metadata: {
      ...treeAt(template, "metadata"),
      labels: Object.fromEntries(labels.filter(([label]) => label !== hashLabel)),
    },
  };
  return semanticallyEqual(without, treeAt(deployment, "spec", "template"));
}

/** The revision of a ReplicaSet or Deployment; 0 where it has none. */
export function revisionOf(object: Tree): number {
  return Number(stringAt(object, "metadata", "annotations", rolloutAnnotations.revision)) || 0;
}

const notCopied: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  `${prefix}/rollback`,
  "deprecated.deployment.rollback.to",
  ...Object.values(rolloutAnnotations),
]);

/** The annotations that the current ReplicaSet of a Deployment has: the Deployment's own, and the state of things. */
export function annotationsFor(
  deployment: Tree,
  set: Tree,
  { revision, desired, max }: { readonly revision: number; readonly desired: number; readonly max: number },
): Tree {
  const own = [...stringMapAt(deployment, "metadata", "annotations")].filter(([key]) => !notCopied.has(key));
  return {
    ...treeAt(set, "metadata", "annotations"),
    ...Object.fromEntries(own),
    [rolloutAnnotations.revision]: String(revision),
    [rolloutAnnotations.desired]: String(desired),
    [rolloutAnnotations.max]: String(max),
  };
}
