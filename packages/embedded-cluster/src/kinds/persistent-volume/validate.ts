import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../field-errors.ts";
import { inKeyOrder, type Tree, treeAt } from "../../tree.ts";
import { checkDriver } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { checkOneType } from "../../validate/one-type.ts";
import { dnsSubdomain, noBackSteps } from "../../validate/text-rules.ts";
import { checkModes } from "../persistent-volume-claim/validate.ts";

/** Fields of a volume's spec that are not its source. */
const common = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

/** The spec of a PersistentVolume. */
export function checkVolume(volume: Field): FieldError[] {
  const spec = volume.at("spec");
  const modes = spec.at("accessModes");
  return faults(
    modes.items.length === 0 && modes.required(),
    checkModes(modes),
    checkCapacity(spec.at("capacity")),
    spec.at("persistentVolumeReclaimPolicy").check(),
    checkSource(spec),
    checkRecycling(spec),
    spec.at("storageClassName").check(dnsSubdomain),
    spec.at("volumeMode").check(),
  );
}

function checkCapacity(capacity: Field): FieldError[] {
  const amounts = capacity.entries;
  const isEmpty = amounts.length === 0;
  const isStorageOnly = amounts.length === 1 && amounts[0]?.[0] === "storage";
  return faults(
    isEmpty && capacity.required(),
    isStorageOnly || capacity.notSupported(["storage"], isEmpty ? null : inKeyOrder(capacity.tree)),
    amounts.flatMap(([, amount]) =>
      (parseQuantity(amount.text) ?? 0n) <= 0n ? amount.invalid("must be greater than zero") : [],
    ),
  );
}

/** The names of the sources of a volume: "hostPath", "csi". */
export function sourcesOf(spec: Tree): readonly string[] {
  return Object.keys(spec).filter((field) => !common.has(field) && treeAt(spec, field) !== undefined);
}

function checkSource(spec: Field): FieldError[] {
  const checks = new Map([
    ["hostPath", checkPath],
    ["local", (local: Field) => checkLocal(local, spec.at("nodeAffinity"))],
    ["csi", checkCsi],
  ]);
  return checkOneType(spec, sourcesOf(spec.tree), { what: "volume", checks });
}

/** Recycling empties a volume: not the whole machine. */
function checkRecycling(spec: Field): FieldError[] {
  const policy = spec.at("persistentVolumeReclaimPolicy");
  const isAll = spec.at("hostPath.path").text === "/" && policy.text === "Recycle";
  return faults(isAll && policy.forbidden("may not be 'recycle' for a hostPath mount of '/'"));
}

function checkLocal(local: Field, affinity: Field): FieldError[] {
  return faults(checkPath(local), affinity.isSet || affinity.required("Local volume requires node affinity"));
}

function checkPath(source: Field): FieldError[] {
  return source.at("path").check(noBackSteps);
}

function checkCsi(source: Field): FieldError[] {
  return [...checkDriver(source.at("driver")), ...source.at("volumeHandle").check()];
}
