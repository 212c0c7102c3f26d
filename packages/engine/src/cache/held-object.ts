import type { KubeObject } from "@weir/kube";
import type { Health } from "../health/health-status.ts";

/** Determines the health of a live object; undefined if its kind has none. */
export type Judge = (object: KubeObject) => Health | undefined;

/** What a held object is made of. */
export interface HeldParts {
  readonly object: KubeObject;
  readonly isWhole: boolean;
  readonly owners: readonly string[];
  readonly claims: readonly string[];
  /** A judge is asked when somebody wants to know. Null: its kind has none. Undefined: unknown. */
  readonly health: Health | Judge | null | undefined;
}

/** A live object in the form in which the cache holds it. Never modified. */
export class HeldObject {
  /** The object, or the part of its metadata that is held. */
  readonly object: KubeObject;
  /** False: `object` has only its key, versions, and owners, and if it's managed, what prune guards look at. */
  readonly isWhole: boolean;
  /** Its owners, each in the form in which they claim it: see relations.ts. */
  readonly owners: readonly string[];
  /** What its children name as their owner. */
  readonly claims: readonly string[];
  #health: Health | Judge | null | undefined;

  constructor({ object, isWhole, owners, claims, health }: HeldParts) {
    this.object = object;
    this.isWhole = isWhole;
    this.owners = owners;
    this.claims = claims;
    this.#health = health;
  }

  /** Undefined if its kind has none, or if only its metadata was received. */
  get health(): Health | undefined {
    if (typeof this.#health === "function") {
      this.#health = this.#health(this.object) ?? null;
    }
    return this.#health ?? undefined;
  }

  /** False if only its metadata was received. */
  get isJudged(): boolean {
    return this.#health !== undefined;
  }
}
