/** The scale subresource: how many replicas a workload has and should have. */
import { invalid, refuseInvalid } from "../field-errors.ts";
import { printSelector } from "../tables/cell-text.ts";
import {
  ensureTree,
  isTree,
  nodeAt,
  numberAt,
  stringAt,
  stringMapAt,
  type Tree,
  type TreeNode,
} from "../tree.ts";

/** Where a kind keeps its replicas; those of built-in kinds unless a custom resource says otherwise. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** Where the selector stands as text; undefined for a selector object at spec.selector. */
  readonly selector: readonly string[] | undefined;
}

export const builtinScale: ScalePaths = {
  specReplicas: ["spec", "replicas"],
  statusReplicas: ["status", "replicas"],
  selector: undefined,
};

/** The Scale of an object. */
export function scaleOf(object: Tree, paths: ScalePaths): Tree {
  const metadata: Tree = {};
  for (const field of ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]) {
    const value = nodeAt(object, "metadata", field);
    if (value !== undefined) {
      metadata[field] = value;
    }
  }
  const selector = selectorOf(object, paths);
  const replicas = numberAt(object, ...paths.specReplicas) ?? 0;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, ...paths.statusReplicas) ?? 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
}

/** Sets an object's replicas as a Scale asks, and the resource version that it was read at. Throws KubeApiError (422). */
export function takeScale(object: Tree, scale: Tree, paths: ScalePaths): void {
  const replicas = numberAt(scale, "spec", "replicas") ?? 0;
  const name = stringAt(object, "metadata", "name");
  // What custom resources say of a count below zero is for their own rules.
  if (replicas < 0 && paths.selector === undefined) {
    const error = invalid("spec.replicas", replicas, "must be greater than or equal to 0");
    refuseInvalid({ group: "autoscaling", kind: "Scale" }, name, [error]);
  }
  setAt(object, paths.specReplicas, replicas);
  const version = stringAt(scale, "metadata", "resourceVersion");
  if (version !== "") {
    ensureTree(object, "metadata")["resourceVersion"] = version;
  }
}

function selectorOf(object: Tree, { selector }: ScalePaths): string {
  if (selector !== undefined) {
    return stringAt(object, ...selector);
  }
  const found = nodeAt(object, "spec", "selector");
  const isMap =
    isTree(found) && found["matchLabels"] === undefined && found["matchExpressions"] === undefined;
  return isMap
    ? [...stringMapAt(found)]
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join(",")
    : printSelector(found);
}

function setAt(object: Tree, path: readonly string[], value: TreeNode): void {
  const [first, ...rest] = path;
  if (first !== undefined && rest.length === 0) {
    object[first] = value;
  } else if (first !== undefined) {
    setAt(ensureTree(object, first), rest, value);
  }
}
