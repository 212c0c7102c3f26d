import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, listAt, setDefault, type Tree } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";

/** The cells of CSINodes. */
const csiNodeCells: Cells = (object, now) => [
  nameOf(object),
  listAt(object, "spec", "drivers").length,
  ageOf(object, now),
];

/** The defaults of CSIDrivers. */
const csiDriverDefaults: Defaults = {
  "io.k8s.api.storage.v1.CSIDriver": defaultCsiDriver,
};

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
    defaults: csiDriverDefaults,
  },
  {
    bucket: "csinodes.storage.k8s.io",
    rules: { returnsDeleted: true, unconditionalUpdate: false },
    cells: csiNodeCells,
  },
  { bucket: "csistoragecapacities.storage.k8s.io", rules: { unconditionalUpdate: false } },
  { bucket: "volumeattachments.storage.k8s.io", rules: { returnsDeleted: true, unconditionalUpdate: false } },
  { bucket: "volumeattributesclasses.storage.k8s.io", rules: { returnsDeleted: true } },
];
