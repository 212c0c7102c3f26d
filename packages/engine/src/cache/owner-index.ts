import type { HeldObject } from "./held-object.ts";

const none: readonly HeldObject[] = [];

/** Held objects by their owners. A change of an object costs as much as the object has owners. */
export class OwnerIndex {
  /** Most owners have one child, which is then stored without a set. */
  readonly #children = new Map<string, HeldObject | Set<HeldObject>>();

  /** An object appeared, changed, or disappeared. */
  replace(before: HeldObject | undefined, after: HeldObject | undefined): void {
    for (const owner of before?.owners ?? []) {
      this.#remove(owner, before);
    }
    for (const owner of after?.owners ?? []) {
      this.#add(owner, after);
    }
  }

  /** The objects that an object owns, each once. */
  childrenOf({ object, claims }: Pick<HeldObject, "object" | "claims">): readonly HeldObject[] {
    const owned = this.#owned(object.metadata.uid ?? "");
    return claims.length === 0
      ? owned
      : [...new Set([...owned, ...claims.flatMap((claim) => this.#owned(claim))])];
  }

  #owned(owner: string): readonly HeldObject[] {
    const children = this.#children.get(owner);
    if (children === undefined) {
      return none;
    }
    return children instanceof Set ? [...children] : [children];
  }

  #add(owner: string, child: HeldObject | undefined): void {
    const children = this.#children.get(owner);
    if (child === undefined) {
      return;
    }
    if (children === undefined) {
      this.#children.set(owner, child);
    } else if (children instanceof Set) {
      children.add(child);
    } else {
      this.#children.set(owner, new Set([children, child]));
    }
  }

  #remove(owner: string, child: HeldObject | undefined): void {
    const children = this.#children.get(owner);
    if (child === undefined || children === undefined) {
      return;
    }
    if (children instanceof Set) {
      children.delete(child);
    }
    if (children === child || (children instanceof Set && children.size === 0)) {
      this.#children.delete(owner);
    }
  }
}
