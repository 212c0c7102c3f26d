import { ensureTree, setDefault, type Tree, treeAt } from "../../tree.ts";
import { maxInt32 } from "../../validate/checks.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of Jobs. */
export const jobDefaults: Defaults = {
  "io.k8s.api.batch.v1.Job": defaultJob,
  "io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern": (pattern) =>
    setDefault(pattern, "status", "True"),
};

function defaultJob(job: Tree): void {
  const spec = ensureTree(job, "spec");
  if (spec["completions"] === undefined && spec["parallelism"] === undefined) {
    spec["completions"] = 1;
  }
  setDefault(spec, "parallelism", 1);
  setDefault(spec, "backoffLimit", spec["backoffLimitPerIndex"] === undefined ? 6 : maxInt32);
  const labels = treeAt(spec, "template", "metadata", "labels");
  if (labels !== undefined) {
    setDefault(ensureTree(job, "metadata"), "labels", { ...labels });
  }
  setDefault(spec, "completionMode", "NonIndexed");
  setDefault(spec, "suspend", false);
  setDefault(
    spec,
    "podReplacementPolicy",
    spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
  );
  setDefault(spec, "manualSelector", false);
}
