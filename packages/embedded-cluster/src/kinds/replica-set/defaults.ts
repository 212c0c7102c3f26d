import { ensureTree, setDefault } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of ReplicaSets. */
export const replicaSetDefaults: Defaults = {
  "io.k8s.api.apps.v1.ReplicaSet": (set) => setDefault(ensureTree(set, "spec"), "replicas", 1),
};
