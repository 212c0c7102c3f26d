import { changesOf } from "../resources/kind-rules.ts";
import { ageOf, nameOf } from "../tables/cell-text.ts";
import { nodeAt, stringAt, stringsAt, type Tree } from "../tree.ts";
import type { Kind } from "./kind.ts";

function parentOf(address: Tree): string {
  const parent = nodeAt(address, "spec", "parentRef");
  const group = stringAt(parent, "group");
  const resource = stringAt(parent, "resource");
  const parts = [
    group === "" ? resource : `${resource}.${group}`,
    stringAt(parent, "namespace"),
    stringAt(parent, "name"),
  ];
  return parent === undefined ? "<none>" : parts.filter((part) => part !== "").join("/");
}

/** Kinds of which there is so little to say that they need no folder. */
export const otherKinds: readonly Kind[] = [
  {
    bucket: "runtimeclasses.node.k8s.io",
    rules: { createOnUpdate: true, unconditionalUpdate: false },
    cells: (object, now) => [nameOf(object), stringAt(object, "handler"), ageOf(object, now)],
  },
  {
    bucket: "servicecidrs.networking.k8s.io",
    cells: (object, now) => [
      nameOf(object),
      stringsAt(object, "spec", "cidrs").join(","),
      ageOf(object, now),
    ],
  },
  { bucket: "ipaddresses.networking.k8s.io", cells: (object) => [nameOf(object), parentOf(object)] },
  { bucket: "deviceclasses.resource.k8s.io", rules: { generation: changesOf("spec"), returnsDeleted: true } },
  { bucket: "resourceclaims.resource.k8s.io", rules: { returnsDeleted: true } },
  { bucket: "resourceclaimtemplates.resource.k8s.io", rules: { returnsDeleted: true } },
  {
    bucket: "resourceslices.resource.k8s.io",
    rules: { generation: changesOf("spec"), returnsDeleted: true },
  },
];
