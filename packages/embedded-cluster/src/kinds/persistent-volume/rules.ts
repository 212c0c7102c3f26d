import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ensureTree, nodeAt, semanticallyEqual, stringAt, stringsAt, type Tree } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { specDiff } from "../../validate/spec-diff.ts";
import { checkSameMode } from "../persistent-volume-claim/validate.ts";
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
  checkUpdate: (volume, old) => [...checkSameSource(volume, old), ...checkSameMode(volume, old)],
};

/** What a volume or claim is kept by as long as it is in use. */
export function protect(object: Tree, finalizer: string): void {
  const metadata = ensureTree(object, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  if (!finalizers.includes(finalizer)) {
    metadata["finalizers"] = [...finalizers, finalizer];
  }
}

function checkSameSource(volume: Field, old: Field): FieldError[] {
  const [now, before] = [sourceOf(volume), sourceOf(old)];
  // As in the API server, the path is not that of a field.
  const source = volume.at("spec").shownAs("spec.persistentvolumesource");
  const why = `${source.path} is immutable after creation`;
  return faults(semanticallyEqual(now, before) || source.forbidden(`${why}\n${specDiff(before, now)}`));
}

function sourceOf(volume: Field): Tree {
  const { tree } = volume.at("spec");
  return Object.fromEntries(sourcesOf(tree).map((name) => [name, tree[name]]));
}
