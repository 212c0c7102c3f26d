import { faults, forbidden } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ensureTree, nodeAt, semanticallyEqual, stringAt, stringsAt, type Tree, treeAt } from "../../tree.ts";
import { specDiff } from "../../validate/spec-diff.ts";
import { checkUnchanged } from "../../validate/tree-checks.ts";
import { checkVolume, sourcesOf } from "./validate.ts";

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
  checkUpdate: ({ tree: volume }, { tree: old }) => {
    const [now, before] = [sourceOf(volume), sourceOf(old)];
    const why = `spec.persistentvolumesource is immutable after creation\n${specDiff(before, now)}`;
    return faults(
      semanticallyEqual(now, before) || forbidden("spec.persistentvolumesource", why),
      checkUnchanged("volumeMode", nodeAt(volume, "spec", "volumeMode"), nodeAt(old, "spec", "volumeMode")),
    );
  },
};

/** What a volume or claim is kept by as long as it is in use. */
export function protect(object: Tree, finalizer: string): void {
  const metadata = ensureTree(object, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  if (!finalizers.includes(finalizer)) {
    metadata["finalizers"] = [...finalizers, finalizer];
  }
}

function sourceOf(volume: Tree): Tree {
  const spec = treeAt(volume, "spec") ?? {};
  return Object.fromEntries(sourcesOf(spec).map((field) => [field, spec[field]]));
}
