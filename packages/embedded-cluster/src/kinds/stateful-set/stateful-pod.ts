/** The pods of StatefulSets: each has a number, a name that stays, and claims of its own. */

import { type Revision, revisionLabel } from "../../controllers/controller-revisions.ts";
import { controllerReference } from "../../controllers/owned.ts";
import {
  cloneNode,
  ensureTree,
  numberAt,
  setDefault,
  stringAt,
  type Tree,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { podFromTemplate } from "../pod/pod-template.ts";

/** The number in the name of a pod of a set; undefined where it has none. */
export function ordinalOf(setName: string, podName: string): number | undefined {
  const digits = podName.startsWith(`${setName}-`) ? podName.slice(setName.length + 1) : "";
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The numbers that the pods of a set should have. */
export function wantedOrdinals(set: Tree): readonly number[] {
  const start = numberAt(set, "spec", "ordinals", "start") ?? 0;
  return Array.from({ length: numberAt(set, "spec", "replicas") ?? 1 }, (_, index) => start + index);
}

/** The pod of a set with that number, by the template of a revision. */
export function statefulPod(set: Tree, ordinal: number, revision: Revision): Tree {
  const setName = stringAt(set, "metadata", "name");
  const name = `${setName}-${ordinal}`;
  const pod = podFromTemplate(set, revision.template, name);
  const spec = ensureTree(pod, "spec");
  setDefault(spec, "hostname", name);
  setDefault(spec, "subdomain", stringAt(set, "spec", "serviceName") || null);
  Object.assign(ensureTree(ensureTree(pod, "metadata"), "labels"), {
    [revisionLabel]: revision.name,
    "statefulset.kubernetes.io/pod-name": name,
    "apps.kubernetes.io/pod-index": String(ordinal),
  });
  const claims = treesAt(set, "spec", "volumeClaimTemplates").map((claim) =>
    stringAt(claim, "metadata", "name"),
  );
  const others = treesAt(spec, "volumes").filter((volume) => !claims.includes(stringAt(volume, "name")));
  const own = claims.map((claim) => ({
    name: claim,
    persistentVolumeClaim: { claimName: claimName(claim, setName, ordinal) },
  }));
  spec["volumes"] = [...own, ...others];
  return pod;
}

/** The claims of the pod with that number. */
export function claimsFor(set: Tree, ordinal: number): readonly Tree[] {
  const isGoing = stringAt(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") === "Delete";
  const setName = stringAt(set, "metadata", "name");
  return treesAt(set, "spec", "volumeClaimTemplates").map((template) => ({
    ...cloneNode<Tree>(template),
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      ...treeAt(template, "metadata"),
      name: claimName(stringAt(template, "metadata", "name"), setName, ordinal),
      namespace: stringAt(set, "metadata", "namespace"),
      labels: {
        ...treeAt(template, "metadata", "labels"),
        ...treeAt(set, "spec", "selector", "matchLabels"),
      },
      ...(isGoing ? { ownerReferences: [controllerReference(set)] } : {}),
    },
  }));
}

function claimName(claim: string, setName: string, ordinal: number): string {
  return `${claim}-${setName}-${ordinal}`;
}
