import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { numberAt, stringAt, type Tree, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";

function controllerName(object: Tree): string {
  const owner = treesAt(object, "metadata", "ownerReferences").find((one) => one["controller"] === true);
  if (owner === undefined) {
    return "<none>";
  }
  const [group = ""] = stringAt(owner, "apiVersion").split("/");
  const kind = stringAt(owner, "kind").toLowerCase();
  return `${stringAt(owner, "apiVersion").includes("/") ? `${kind}.${group}` : kind}/${stringAt(owner, "name")}`;
}

/** ControllerRevisions. */
export const controllerRevision: Kind = {
  bucket: "controllerrevisions.apps",
  cells: (object, now) => [
    nameOf(object),
    controllerName(object),
    numberAt(object, "revision") ?? 0,
    ageOf(object, now),
  ],
};
