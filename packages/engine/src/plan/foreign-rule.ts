import type { KubeObject } from "@weir/kube";
import { foreignOwnerOf } from "./foreign-owner.ts";
import { syncOptionsOf } from "./sync-options.ts";

/** What happens to objects that another tool or unit manages. */
export interface ForeignRule {
  /** True: they're applied and pruned like others; false, the default: they're left alone. */
  readonly takeOver?: boolean;
  /**
   * Says who else manages a live object, e.g. "Helm (release demo/web)", or undefined for nobody; `target` is
   * undefined if there's no manifest for it. By default, foreignOwnerOf, which knows the marks of other tools.
   */
  readonly foreignOwner?:
    | ((live: KubeObject, target: KubeObject | undefined) => string | undefined)
    | undefined;
}

/**
 * Why an object of somebody else is left alone; undefined if it's nobody's, or if it may be taken over. The
 * manifest decides that for itself, and a live object without a manifest by its own annotation.
 */
export function foreignReason(
  live: KubeObject,
  target: KubeObject | undefined,
  { takeOver = false, foreignOwner = foreignOwnerOf }: ForeignRule,
): string | undefined {
  const owner = takeOver ? undefined : foreignOwner(live, target);
  return owner === undefined || syncOptionsOf(target ?? live).takeOver === true
    ? undefined
    : `${owner} manages it`;
}
