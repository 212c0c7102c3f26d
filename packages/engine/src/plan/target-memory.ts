import { equalJson, isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { Comparison } from "./plan.ts";
import type { LiveState } from "./reconcile.ts";
import type { ApplyMethod } from "./sync-options.ts";

/** The last result for a target. */
interface Verdict {
  readonly live: KubeObject;
  readonly inSync: boolean;
}

/**
 * Compares targets with live objects, and remembers the results: while neither changes, nothing is computed
 * again, and the server doesn't need to be asked again about objects that only it can compare (held in a
 * different API version than the target, or applied server-side).
 */
export class TargetMemory {
  readonly #verdicts = new WeakMap<KubeObject, Verdict>();
  readonly #compare: (target: KubeObject, live: KubeObject) => boolean;

  constructor(compare: (target: KubeObject, live: KubeObject) => boolean) {
    this.#compare = compare;
  }

  /** What applying a target would do, as far as that's known without the server. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod): Comparison {
    if (live.kind === "present" && method !== "server-side") {
      return this.isInSync(target, live.object) ? "unchanged" : "patch";
    }
    if (live.kind !== "absent" && live.object !== undefined && this.#isVerified(target, live.object)) {
      return "unchanged";
    }
    return live.kind === "present" ? "patch" : "apply";
  }

  /** True if the live object matches its target. */
  isInSync(target: KubeObject, live: KubeObject): boolean {
    const known = this.#verdicts.get(target);
    if (known?.live === live) {
      return known.inSync;
    }
    const inSync = this.#isVerified(target, live) || this.#compare(target, live);
    this.#verdicts.set(target, { live, inSync });
    return inSync;
  }

  /** The server confirmed that the live object matches its target. */
  verified(target: KubeObject, live: KubeObject): void {
    this.#verdicts.set(target, { live, inSync: true });
  }

  /** The server said that the target would change the live object. */
  refuted(target: KubeObject, live: KubeObject): void {
    this.#verdicts.set(target, { live, inSync: false });
  }

  #isVerified(target: KubeObject, live: KubeObject): boolean {
    const known = this.#verdicts.get(target);
    return known?.inSync === true && (known.live === live || isSameButStatus(known.live, live));
  }
}

/** True if both objects have the same content. */
export function isSameObject(a: object, b: object): boolean {
  return a === b || (isJsonObject(a) && isJsonObject(b) && equalJson(a, b));
}

/** True if two states of an object are equal in everything that a manifest can specify. */
export function isSameButStatus(a: KubeObject, b: KubeObject): boolean {
  return isSameObject(essenceOf(a), essenceOf(b));
}

function essenceOf({ metadata, ...rest }: KubeObject): object {
  const meta = { ...metadata, resourceVersion: undefined, managedFields: undefined };
  return { ...rest, status: undefined, metadata: meta };
}
