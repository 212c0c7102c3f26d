import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../field-errors.ts";
import { inKeyOrder, type Tree, treeAt } from "../../tree.ts";
import { checkDriver } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
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
  const [first, ...more] = sourcesOf(spec.tree);
  const [hostPath, local, csi] = [spec.at("hostPath"), spec.at("local"), spec.at("csi")];
  if (first === undefined) {
    return [spec.required("must specify a volume type")];
  }
  return faults(
    spec.all(more, (source) => source.forbidden("may not specify more than 1 volume type")),
    hostPath.isSet && hostPath.at("path").check(noBackSteps),
    local.isSet && checkLocal(local.at("path"), spec.at("nodeAffinity")),
    csi.isSet && [...checkDriver(csi.at("driver")), ...csi.at("volumeHandle").check()],
  );
}

/** Recycling empties a volume: not the whole machine. */
function checkRecycling(spec: Field): FieldError[] {
  const policy = spec.at("persistentVolumeReclaimPolicy");
  const isAll = spec.at("hostPath.path").text === "/" && policy.text === "Recycle";
  return faults(isAll && policy.forbidden("may not be 'recycle' for a hostPath mount of '/'"));
}

function checkLocal(path: Field, affinity: Field): FieldError[] {
  return faults(
    path.check(noBackSteps),
    affinity.isSet || affinity.required("Local volume requires node affinity"),
  );
}
