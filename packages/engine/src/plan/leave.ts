import type { KubeObject } from "@weir/kube";
import { type ForeignRule, foreignReason } from "./foreign-rule.ts";
import type { KeptObject } from "./guards.ts";

/** Returns a reason not to apply a target; `live` is undefined if the object doesn't exist or isn't known. */
export type LeaveGuard = (target: KubeObject, live: KubeObject | undefined) => string | undefined;

/** Why a target isn't applied. */
export type LeftAlone = Pick<KeptObject, "guard" | "reason">;

/** Decides whether a target is applied to its live object; undefined if it is. */
export type LeaveRule = (target: KubeObject, live: KubeObject | undefined) => LeftAlone | undefined;

/** The rule for options: first the caller's reason, then that of the object's other manager. */
export function leaveRuleOf(options: ForeignRule & { readonly leave?: LeaveGuard | undefined }): LeaveRule {
  return (target, live) => {
    const kept = options.leave?.(target, live);
    if (kept !== undefined) {
      return { guard: "kept", reason: kept };
    }
    const foreign = live && foreignReason(live, target, options);
    return foreign === undefined ? undefined : { guard: "foreign", reason: foreign };
  };
}
