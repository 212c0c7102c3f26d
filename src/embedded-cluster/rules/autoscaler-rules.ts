import type { KindRules } from "../resources/kind-rules.ts";
import { treeAt } from "../tree.ts";
import { checkAutoscaler } from "../validate/autoscaler.ts";
import { checkCounts } from "../validate/checks.ts";

/** The rules of HorizontalPodAutoscalers, which are kept in the form of autoscaling/v2. */
export const autoscalerRules: KindRules = {
  check: checkAutoscaler,
  checkStatus: (autoscaler) =>
    checkCounts("status", treeAt(autoscaler, "status"), ["currentReplicas", "desiredReplicas"]),
};
