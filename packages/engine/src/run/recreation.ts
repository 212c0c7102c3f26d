import { gvkOf, type KubeObject } from "@weir/kube";
import { objectOf, specOf } from "../health/fields.ts";
import { syncOptionsOf } from "../plan/sync-options.ts";

/**
 * Why an object isn't deleted and created again although force is on; undefined if it may be. Where data would
 * be lost, the request isn't enough: the manifest itself must say Force=true.
 */
export function whyNotRecreated(target: KubeObject, live: KubeObject): string | undefined {
  switch (nameOf(target)) {
    case "/Namespace":
      return "that would delete everything in it";
    case "apiextensions.k8s.io/CustomResourceDefinition":
      return "that would delete all objects of its kind";
    case "/PersistentVolumeClaim":
    case "/PersistentVolume":
      return unlessSaid(target);
    case "apps/StatefulSet":
      return objectOf(specOf(live)["persistentVolumeClaimRetentionPolicy"])["whenDeleted"] === "Delete"
        ? unlessSaid(target)
        : undefined;
    default:
      return undefined;
  }
}

function unlessSaid(target: KubeObject): string | undefined {
  return syncOptionsOf(target).force === true
    ? undefined
    : "that could delete data; only Force=true in its own annotation permits it";
}

function nameOf(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  return `${group}/${kind}`;
}
