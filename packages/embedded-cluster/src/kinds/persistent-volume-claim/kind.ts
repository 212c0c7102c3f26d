import { type FieldError, faults } from "../../field-errors.ts";
import { defaultOf, type RuleContext } from "../../resources/kind-rules.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, nodeAt, own, semanticallyEqual, setDefault, stringAt, type Tree } from "../../tree.ts";
import { isMore } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { specDiff } from "../../validate/spec-diff.ts";
import type { Kind } from "../kind.ts";
import { accessModes, phaseOf } from "../persistent-volume/cells.ts";
import { protect } from "../persistent-volume/rules.ts";
import { checkClaimSpec, checkSameMode } from "./validate.ts";

/** A claim that names no class gets the one that is marked as the default. */
function takeDefaultClass(claim: Tree, context: RuleContext): void {
  const spec = ensureTree(claim, "spec");
  const old = nodeAt(claim, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
  if (nodeAt(spec, "storageClassName") !== undefined || old !== undefined) {
    return;
  }
  const mark = "storageclass.kubernetes.io/is-default-class";
  const found = defaultOf(context, "storageclasses.storage.k8s.io", mark);
  if (found !== undefined) {
    spec["storageClassName"] = found;
  }
}

/** A claim may grow once it is bound, and be bound once; all else stays. */
function checkClaimUpdate(claim: Field, old: Field): FieldError[] {
  return [...checkFixed(claim, old), ...checkSize(claim, old), ...checkSameMode(claim, old)];
}

function checkFixed(claim: Field, old: Field): FieldError[] {
  const [spec, { tree }] = [claim.at("spec"), old.at("spec")];
  const isOpen = old.at("spec.volumeName").text === "";
  const before = isOpen ? { ...tree, volumeName: spec.at("volumeName").value } : tree;
  const isBound = claim.at("status.phase").text === "Bound";
  const now = isBound ? withChangesUndone(spec, before) : spec.tree;
  const why =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return faults(semanticallyEqual(now, before) || spec.forbidden(`${why}\n${specDiff(before, now)}`));
}

/** The new spec, with what may change of a bound claim set back. */
function withChangesUndone(spec: Field, before: Tree): Tree {
  const storage = nodeAt(before, "resources", "requests", "storage");
  const requests = { ...spec.at("resources.requests").tree, storage };
  return {
    ...spec.tree,
    resources: { ...spec.at("resources").tree, requests },
    volumeAttributesClassName: own(before, "volumeAttributesClassName"),
  };
}

/** A claim may shrink to undo a resize, but must stay above its capacity. */
function checkSize(claim: Field, old: Field): FieldError[] {
  const place = "spec.resources.requests.storage";
  const [size, before] = [claim.at(place), old.at(place)];
  const capacity = old.at("status.capacity.storage").value ?? "0";
  const isLess = isMore(before.value, size.value) && !isMore(size.value, capacity);
  return faults(isLess && size.forbidden("field can not be less than status.capacity"));
}

/** PersistentVolumeClaims. */
export const persistentVolumeClaim: Kind = {
  bucket: "persistentvolumeclaims",
  rules: {
    returnsDeleted: true,
    admit: (claim, old, context) => {
      if (old === undefined) {
        protect(claim, "kubernetes.io/pvc-protection");
        takeDefaultClass(claim, context);
      }
    },
    prepareCreate: (claim) => {
      claim["status"] = { phase: "Pending" };
    },
    check: (claim) => checkClaimSpec(claim.at("spec")),
    checkUpdate: checkClaimUpdate,
  },
  defaults: {
    "io.k8s.api.core.v1.PersistentVolumeClaim": (claim) =>
      setDefault(ensureTree(claim, "status"), "phase", "Pending"),
    "io.k8s.api.core.v1.PersistentVolumeClaimSpec": (spec) => setDefault(spec, "volumeMode", "Filesystem"),
  },
  cells: (object, now) => {
    const volume = stringAt(object, "spec", "volumeName");
    return [
      nameOf(object),
      phaseOf(object),
      volume,
      volume === "" ? "" : stringAt(object, "status", "capacity", "storage") || "0",
      volume === "" ? "" : accessModes(object, "status"),
      stringAt(object, "spec", "storageClassName"),
      stringAt(object, "spec", "volumeAttributesClassName") || "<unset>",
      ageOf(object, now),
      stringAt(object, "spec", "volumeMode") || "<unset>",
    ];
  },
};
