import { parseQuantity } from "@weir/kube";
import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import { inKeyOrder, own, stringAt, stringMapAt, stringsAt, type Tree, treeAt } from "../../tree.ts";
import { checkEnum, checkOptionalText, checkRequiredText } from "../../validate/checks.ts";
import { dnsSubdomain } from "../../validate/text-rules.ts";
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
export function checkVolume(volume: Tree): FieldError[] {
  const spec = treeAt(volume, "spec") ?? {};
  return faults(
    stringsAt(spec, "accessModes").length === 0 && required("spec.accessModes"),
    checkModes("spec.accessModes", spec),
    checkCapacity(spec),
    checkEnum("spec", spec, "core.v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy"),
    checkSource(spec),
    checkRecycling(spec),
    checkOptionalText("spec.storageClassName", stringAt(spec, "storageClassName"), dnsSubdomain),
    checkEnum("spec", spec, "core.v1.PersistentVolumeSpec.volumeMode"),
  );
}

function checkCapacity(spec: Tree): FieldError[] {
  const capacity = stringMapAt(spec, "capacity");
  const path = "spec.capacity";
  const shown = capacity.size === 0 ? null : inKeyOrder(treeAt(spec, "capacity") ?? {});
  const isStorageOnly = capacity.size === 1 && capacity.has("storage");
  return faults(
    capacity.size === 0 && required(path),
    isStorageOnly || notSupported(path, shown, ["storage"]),
    [...capacity].flatMap(([name, amount]) =>
      (parseQuantity(amount) ?? 0n) <= 0n
        ? [invalid(`${path}[${name}]`, amount, "must be greater than zero")]
        : [],
    ),
  );
}

/** The names of the sources of a volume: "hostPath", "csi". */
export function sourcesOf(spec: Tree): readonly string[] {
  return Object.keys(spec).filter((field) => !common.has(field) && treeAt(spec, field) !== undefined);
}

function checkSource(spec: Tree): FieldError[] {
  const [first, ...more] = sourcesOf(spec);
  if (first === undefined) {
    return [required("spec", "must specify a volume type")];
  }
  const path = treeAt(spec, "hostPath");
  return faults(
    more.map((field) => forbidden(`spec.${field}`, "may not specify more than 1 volume type")),
    path === undefined || checkHostPath(stringAt(path, "path")),
    treeAt(spec, "local") === undefined || checkLocal(spec),
    own(spec, "csi") === undefined || checkDriver(treeAt(spec, "csi") ?? {}),
  );
}

/** Recycling empties a volume: not the whole machine. */
function checkRecycling(spec: Tree): FieldError[] {
  const isRoot = stringAt(spec, "hostPath", "path") === "/";
  return isRoot && stringAt(spec, "persistentVolumeReclaimPolicy") === "Recycle"
    ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")]
    : [];
}

function checkLocal(spec: Tree): FieldError[] {
  return faults(
    checkRequiredText("spec.local.path", stringAt(spec, "local", "path")),
    treeAt(spec, "nodeAffinity") === undefined &&
      required("spec.nodeAffinity", "Local volume requires node affinity"),
  );
}

function checkHostPath(path: string): FieldError[] {
  const isOutside = path.split("/").includes("..");
  return faults(
    checkRequiredText("spec.hostPath.path", path),
    isOutside && invalid("spec.hostPath.path", path, "must not contain '..'"),
  );
}

function checkDriver(csi: Tree): FieldError[] {
  return [
    ...checkRequiredText("spec.csi.driver", stringAt(csi, "driver")),
    ...checkRequiredText("spec.csi.volumeHandle", stringAt(csi, "volumeHandle")),
  ];
}
