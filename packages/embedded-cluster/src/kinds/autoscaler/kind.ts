import type { KindRules } from "../../resources/kind-rules.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Kind } from "../kind.ts";
import { autoscalerCells } from "./cells.ts";
import { autoscalingDefaulters } from "./defaults.ts";
import { checkAutoscaler } from "./validate.ts";

/** The rules of HorizontalPodAutoscalers, which are kept in the form of autoscaling/v2. */
const autoscalerRules: KindRules = {
  check: checkAutoscaler,
  checkStatus: (autoscaler) => checkCounts(autoscaler.at("status"), "currentReplicas", "desiredReplicas"),
};

/** HorizontalPodAutoscalers. */
export const autoscaler: Kind = {
  bucket: "horizontalpodautoscalers.autoscaling",
  rules: autoscalerRules,
  defaults: autoscalingDefaulters,
  cells: autoscalerCells,
};
