import type { Unsubscribe } from "@weir/base";
import { acceptNames, isEstablished } from "../kinds/custom-resource-definition/definition-names.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { methodNotAllowedError } from "../status-errors.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { stringAt, type Tree } from "../tree.ts";
import { type CustomParts, servedVersions } from "./served-versions.ts";

const bucket = "customresourcedefinitions.apiextensions.k8s.io";

/** Serves the resources of all definitions from the moment they are stored, as long as they are there. */
export function serveDefinitions(
  store: ObjectStore,
  registry: ResourceRegistry,
  parts: CustomParts,
): Unsubscribe {
  const serve = (stored: StoredObject): void => {
    const definition = treeOf(stored);
    const others = store
      .bucket(bucket)
      .list("")
      .filter(({ name }) => name !== stored.name);
    const names = acceptNames(
      definition,
      others.map((other) => treeOf(other)),
    );
    const isGood = isEstablished(definition) || names.condition.status === "True";
    const resources = isGood ? servedVersions(definition, parts) : [];
    registry.setCustom(stored.name, stored.deleting ? resources.map(closed) : resources);
  };
  store.bucket(bucket).list("").forEach(serve);
  return store.onEvent(({ object, type, previous }) => {
    if (object.bucket !== bucket) {
      return;
    }
    if (type === "DELETED") {
      registry.setCustom(object.name, []);
    } else if (previous === undefined || isServedOtherwise(treeOf(object), treeOf(previous))) {
      serve(object);
    }
  });
}

/** Status updates alone change nothing in what is served, unless names were accepted or it began to go. */
function isServedOtherwise(now: Tree, before: Tree): boolean {
  const facts = (definition: Tree): string =>
    JSON.stringify([
      definition["spec"],
      isEstablished(definition),
      stringAt(definition, "metadata", "deletionTimestamp"),
    ]);
  return facts(now) !== facts(before);
}

/** A definition that goes takes no new objects. */
function closed(resource: ServedResource): ServedResource {
  const refuseNew = (_: Tree, old: Tree | undefined): void => {
    if (old === undefined) {
      throw methodNotAllowedError();
    }
  };
  return { ...resource, rules: { ...resource.rules, admit: refuseNew } };
}
