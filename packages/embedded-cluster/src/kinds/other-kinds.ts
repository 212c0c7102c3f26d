import { changesOf } from "../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../tables/cell-text.ts";
import { nodeAt, stringAt, stringsAt, type Tree } from "../tree.ts";
import type { Kind } from "./kind.ts";

/** The cells of ServiceCIDRs. */
const serviceCidrCells: Cells = (object, now) => [
  nameOf(object),
  stringsAt(object, "spec", "cidrs").join(","),
  ageOf(object, now),
];

/** The cells of IPAddresses. */
const ipAddressCells: Cells = (object) => [nameOf(object), parentOf(object)];

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

/** The cells of RuntimeClasses. */
const runtimeClassCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "handler"),
  ageOf(object, now),
];

/** Kinds of which there is so little to say that they need no folder. */
export const otherKinds: readonly Kind[] = [
  {
    bucket: "runtimeclasses.node.k8s.io",
    rules: { createOnUpdate: true, unconditionalUpdate: false },
    cells: runtimeClassCells,
  },
  { bucket: "servicecidrs.networking.k8s.io", cells: serviceCidrCells },
  { bucket: "ipaddresses.networking.k8s.io", cells: ipAddressCells },
  { bucket: "deviceclasses.resource.k8s.io", rules: { generation: changesOf("spec"), returnsDeleted: true } },
  { bucket: "resourceclaims.resource.k8s.io", rules: { returnsDeleted: true } },
  { bucket: "resourceclaimtemplates.resource.k8s.io", rules: { returnsDeleted: true } },
  {
    bucket: "resourceslices.resource.k8s.io",
    rules: { generation: changesOf("spec"), returnsDeleted: true },
  },
];
