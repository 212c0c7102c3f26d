/** Volumes, claims for volumes, and the classes of both. */
import { type FieldError, forbidden, invalid, required, tooLong } from "../field-errors.ts";
import { changesOf, type KindRules, type RuleContext } from "../resources/kind-rules.ts";
import { treeOf } from "../storage/stored-object.ts";
import {
  ensureTree,
  nodeAt,
  own,
  semanticallyEqual,
  stringAt,
  stringsAt,
  type Tree,
  treeAt,
} from "../tree.ts";
import { checkChoice, checkText, checkUnchanged, isMore } from "../validate/checks.ts";
import { checkClaimSpec } from "../validate/claims.ts";
import { checkVolume, sourcesOf } from "../validate/persistent-volume.ts";
import { specDiff } from "../validate/spec-diff.ts";
import { qualifiedKey } from "../validate/text-rules.ts";

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
  check: (claim) => checkClaimSpec("spec", treeAt(claim, "spec") ?? {}),
  checkUpdate: checkClaimUpdate,
};

/** The rules of PersistentVolumes. */
export const volumeRules: KindRules = {
  returnsDeleted: true,
  admit: (volume, old) => {
    if (old === undefined) {
      protect(volume, "kubernetes.io/pv-protection");
    }
  },
  prepareCreate: (volume, { now }) => {
    volume["status"] = { phase: "Pending", lastPhaseTransitionTime: now };
  },
  prepareStatus: (volume, old, { now }) => {
    const status = ensureTree(volume, "status");
    const isSame = stringAt(status, "phase") === stringAt(old, "status", "phase");
    const before = nodeAt(old, "status", "lastPhaseTransitionTime");
    status["lastPhaseTransitionTime"] = isSame ? before : now;
  },
  check: checkVolume,
  checkUpdate: (volume, old) => {
    const [now, before] = [sourceOf(volume), sourceOf(old)];
    const why = `spec.persistentvolumesource is immutable after creation\n${specDiff(before, now)}`;
    return [
      ...(semanticallyEqual(now, before) ? [] : [forbidden("spec.persistentvolumesource", why)]),
      ...checkUnchanged(
        "volumeMode",
        nodeAt(volume, "spec", "volumeMode"),
        nodeAt(old, "spec", "volumeMode"),
      ),
    ];
  },
};

const maxParameters = 512;

function checkParameters(one: Tree): FieldError[] {
  const names = Object.keys(treeAt(one, "parameters") ?? {});
  return [
    ...(names.length > maxParameters ? [tooLong("parameters", maxParameters)] : []),
    ...(names.includes("") ? [invalid("parameters", "", "field can not be empty.")] : []),
  ];
}

/** The rules of StorageClasses. */
export const storageClassRules: KindRules = {
  returnsDeleted: true,
  check: (one) => {
    const provisioner = stringAt(one, "provisioner");
    return [
      ...(provisioner === ""
        ? [required("provisioner")]
        : checkText("provisioner", provisioner.toLowerCase(), qualifiedKey)),
      ...checkParameters(one),
      ...checkChoice("reclaimPolicy", stringAt(one, "reclaimPolicy"), ["Delete", "Retain"]),
      ...checkChoice("volumeBindingMode", stringAt(one, "volumeBindingMode"), [
        "Immediate",
        "WaitForFirstConsumer",
      ]),
    ];
  },
  checkUpdate: (one, old) => [
    ...["parameters", "provisioner", "reclaimPolicy"].flatMap((field) =>
      semanticallyEqual(own(one, field), own(old, field))
        ? []
        : [forbidden(field, `updates to ${field} are forbidden.`)],
    ),
    ...checkUnchanged("volumeBindingMode", own(one, "volumeBindingMode"), own(old, "volumeBindingMode")),
  ],
};

/** What a volume or claim is kept by as long as it is in use. */
function protect(object: Tree, finalizer: string): void {
  const metadata = ensureTree(object, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  if (!finalizers.includes(finalizer)) {
    metadata["finalizers"] = [...finalizers, finalizer];
  }
}

/** A claim that names no class gets the one that is marked as the default. */
function takeDefaultClass(claim: Tree, { cluster }: RuleContext): void {
  const spec = ensureTree(claim, "spec");
  const old = nodeAt(claim, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
  if (nodeAt(spec, "storageClassName") !== undefined || old !== undefined) {
    return;
  }
  const mark = "storageclass.kubernetes.io/is-default-class";
  const found = cluster
    .all("storageclasses.storage.k8s.io")
    .map((stored) => treeOf(stored))
    .find((one) => stringAt(one, "metadata", "annotations", mark) === "true");
  if (found !== undefined) {
    spec["storageClassName"] = stringAt(found, "metadata", "name");
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

function sourceOf(volume: Tree): Tree {
  const spec = treeAt(volume, "spec") ?? {};
  return Object.fromEntries(sourcesOf(spec).map((field) => [field, spec[field]]));
}

/** The rules of kinds of storage that only drivers write. */
export const driverRules: Readonly<Record<string, KindRules>> = {
  "csidrivers.storage.k8s.io": {
    generation: changesOf("spec"),
    returnsDeleted: true,
    unconditionalUpdate: false,
  },
  "csinodes.storage.k8s.io": { returnsDeleted: true, unconditionalUpdate: false },
  "csistoragecapacities.storage.k8s.io": { unconditionalUpdate: false },
  "volumeattachments.storage.k8s.io": { returnsDeleted: true, unconditionalUpdate: false },
  "volumeattributesclasses.storage.k8s.io": { returnsDeleted: true },
};
