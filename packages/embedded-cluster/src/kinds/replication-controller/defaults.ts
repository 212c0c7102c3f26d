import { ensureTree, setDefault, type Tree, treeAt } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of ReplicationControllers. */
export const replicationControllerDefaults: Defaults = {
  "io.k8s.api.core.v1.ReplicationController": defaultReplicationController,
};

function defaultReplicationController(controller: Tree): void {
  const spec = ensureTree(controller, "spec");
  const labels = treeAt(spec, "template", "metadata", "labels");
  setDefault(spec, "replicas", 1);
  if (labels !== undefined) {
    setDefault(spec, "selector", { ...labels });
    setDefault(ensureTree(controller, "metadata"), "labels", { ...labels });
  }
}
