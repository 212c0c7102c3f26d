import type { KubeObject } from "@weir/kube";
import { leanObject } from "@weir/kube/rest";
import type { Health } from "../health/health-status.ts";
import { HeldObject, type Judge } from "./held-object.ts";
import { Interner } from "./interner.ts";
import { isManaged, type ManagedLabel } from "./managed-label.ts";
import { claimsOf, ownersOf } from "./relations.ts";
import { slimObject } from "./slim-object.ts";

/** What was received of an object. */
export type Received = "whole" | "metadata";

/** Turns received objects into held ones: whole if somebody needs them whole, otherwise slim. */
export class ObjectHolder {
  readonly #managedLabel: ManagedLabel | undefined;
  readonly #judge: Judge;
  readonly #interner = new Interner();

  constructor(managedLabel: ManagedLabel | undefined, judge: Judge) {
    this.#managedLabel = managedLabel;
    this.#judge = judge;
  }

  hold(object: KubeObject, received: Received, isWanted: boolean): HeldObject {
    const isReceived = received === "whole";
    if (isReceived && isWanted) {
      const whole = leanObject(object);
      const parts = { owners: ownersOf(object), claims: claimsOf(object), health: this.#judge };
      return new HeldObject({ object: whole, isWhole: true, ...parts });
    }
    const isOurs = this.#managedLabel !== undefined && isManaged(object, this.#managedLabel);
    return new HeldObject({
      object: slimObject(object, isOurs, this.#interner),
      isWhole: false,
      owners: this.#shared("owner", ownersOf(object)),
      claims: claimsOf(object),
      health: isReceived ? this.#sharedHealth(object) : undefined,
    });
  }

  /** The same object, slim. */
  slim(held: HeldObject): HeldObject {
    return held.isWhole ? this.hold(held.object, "whole", false) : held;
  }

  /** Siblings name the same owners. */
  #shared(kind: string, texts: readonly string[]): readonly string[] {
    return texts.length === 0 ? texts : this.#interner.value(kind, texts.join(" "), texts);
  }

  #sharedHealth(object: KubeObject): Health | null {
    const health = this.#judge(object);
    return health === undefined
      ? null
      : this.#interner.value("health", `${health.status} ${health.message}`, health);
  }
}
