import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, listAt, setDefault, type Tree } from "../../tree.ts";
import type { Kind } from "../kind.ts";

function defaultCsiDriver(driver: Tree): void {
  const spec = ensureTree(driver, "spec");
  setDefault(spec, "attachRequired", true);
  setDefault(spec, "podInfoOnMount", false);
  setDefault(spec, "storageCapacity", false);
  setDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  if (listAt(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  setDefault(spec, "requiresRepublish", false);
  setDefault(spec, "seLinuxMount", false);
}

/** Kinds of storage that only drivers write. */
export const storageDriverKinds: readonly Kind[] = [
  {
    bucket: "csidrivers.storage.k8s.io",
    rules: { generation: changesOf("spec"), returnsDeleted: true, unconditionalUpdate: false },
    defaults: {
      "io.k8s.api.storage.v1.CSIDriver": defaultCsiDriver,
    },
  },
  {
    bucket: "csinodes.storage.k8s.io",
    rules: { returnsDeleted: true, unconditionalUpdate: false },
    cells: (object, now) => [nameOf(object), listAt(object, "spec", "drivers").length, ageOf(object, now)],
  },
  { bucket: "csistoragecapacities.storage.k8s.io", rules: { unconditionalUpdate: false } },
  { bucket: "volumeattachments.storage.k8s.io", rules: { returnsDeleted: true, unconditionalUpdate: false } },
  { bucket: "volumeattributesclasses.storage.k8s.io", rules: { returnsDeleted: true } },
];
