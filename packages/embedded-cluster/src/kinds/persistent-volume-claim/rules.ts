import { type FieldError, forbidden } from "../../field-errors.ts";
import type { KindRules, RuleContext } from "../../resources/kind-rules.ts";
import { defaultOf } from "../../resources/kind-rules.ts";

import { ensureTree, nodeAt, own, semanticallyEqual, stringAt, type Tree, treeAt } from "../../tree.ts";
import { isMore } from "../../validate/checks.ts";
import { specDiff } from "../../validate/spec-diff.ts";
import { checkUnchanged } from "../../validate/tree-checks.ts";
import { protect } from "../persistent-volume/rules.ts";
import { checkClaimSpec } from "./validate.ts";

/** The rules of PersistentVolumeClaims. */
export const claimRules: KindRules = {
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
  checkUpdate: ({ tree }, { tree: old }) => checkClaimUpdate(tree, old),
};

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
function checkClaimUpdate(claim: Tree, old: Tree): FieldError[] {
  const now = { ...(treeAt(claim, "spec") ?? {}) };
  const before = { ...(treeAt(old, "spec") ?? {}) };
  const errors: FieldError[] = [];
  if (stringAt(before, "volumeName") === "") {
    before["volumeName"] = own(now, "volumeName");
  }
  const isBound = stringAt(claim, "status", "phase") === "Bound";
  if (isBound) {
    const requests = { ...treeAt(now, "resources", "requests") };
    requests["storage"] = nodeAt(before, "resources", "requests", "storage");
    now["resources"] = { ...treeAt(now, "resources"), requests };
    now["volumeAttributesClassName"] = own(before, "volumeAttributesClassName");
  }
  if (!semanticallyEqual(now, before)) {
    const why = `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${specDiff(before, now)}`;
    errors.push(forbidden("spec", why));
  }
  const size = (object: Tree) => nodeAt(object, "spec", "resources", "requests", "storage");
  const capacity = nodeAt(old, "status", "capacity", "storage") ?? "0";
  if (isMore(size(old), size(claim)) && !isMore(size(claim), capacity)) {
    const path = "spec.resources.requests.storage";
    errors.push(forbidden(path, "field can not be less than status.capacity"));
  }
  const mode = (object: Tree) => nodeAt(object, "spec", "volumeMode");
  return [...errors, ...checkUnchanged("volumeMode", mode(claim), mode(old))];
}
