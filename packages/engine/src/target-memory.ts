import { equalJson, isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { Comparison } from "./sync/plan.ts";
import type { LiveState } from "./sync/reconcile.ts";
import type { ApplyMethod } from "./sync/sync-options.ts";

/** What was found out about a target the last time. */
interface Verdict {
  readonly live: KubeObject;
  readonly inSync: boolean;
}

/**
 * Compares targets with live objects, and remembers: as long as both stay what they were, nothing is computed
 * again, and what only the server can tell (an object held in another version than its target's, one that is
 * applied on the server's side) need not be asked again.
 */
export class TargetMemory {
  readonly #verdicts = new WeakMap<KubeObject, Verdict>();
  readonly #compare: (target: KubeObject, live: KubeObject) => boolean;

  constructor(compare: (target: KubeObject, live: KubeObject) => boolean) {
    this.#compare = compare;
  }

  /** What applying a target comes to, as far as it can be said without the server. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod): Comparison {
    if (live.kind === "present" && method !== "server-side") {
      return this.isInSync(target, live.object) ? "unchanged" : "patch";
    }
    if (live.kind !== "absent" && live.object !== undefined && this.#isVerified(target, live.object)) {
      return "unchanged";
    }
    return live.kind === "present" ? "patch" : "apply";
  }

  /** True where the live object is as its target says. */
  isInSync(target: KubeObject, live: KubeObject): boolean {
    const known = this.#verdicts.get(target);
    if (known?.live === live) {
      return known.inSync;
    }
    const inSync = this.#isVerified(target, live) || this.#compare(target, live);
    this.#verdicts.set(target, { live, inSync });
    return inSync;
  }

  /** Takes it from the server that the live object is as its target says. */
  verified(target: KubeObject, live: KubeObject): void {
    this.#verdicts.set(target, { live, inSync: true });
  }

  #isVerified(target: KubeObject, live: KubeObject): boolean {
    const known = this.#verdicts.get(target);
    return known?.inSync === true && (known.live === live || isSameButStatus(known.live, live));
  }
}

/** True where both say the same. */
export function isSameObject(a: object, b: object): boolean {
  return a === b || (isJsonObject(a) && isJsonObject(b) && equalJson(a, b));
}

/** True where two states of an object differ in nothing that a manifest could say. */
function isSameButStatus(a: KubeObject, b: KubeObject): boolean {
  return isSameObject(essenceOf(a), essenceOf(b));
}

function essenceOf({ metadata, ...rest }: KubeObject): object {
  const meta = { ...metadata, resourceVersion: undefined, managedFields: undefined };
  return { ...rest, status: undefined, metadata: meta };
}
