import type { GroupKind } from "@weir/kube";

/** A kind of which targets are expected, and how many bytes of it were received since then. */
interface Expected {
  readonly kind: GroupKind;
  readonly units: Set<string>;
  bytes: number;
  /** Somebody waits for its list. */
  isUrgent: boolean;
}

/**
 * The kinds of which units will have targets that aren't known yet. All of their objects are held whole, up to a
 * number of bytes; beyond it, their lists wait until the targets are known, so that nothing must be read twice. A list
 * that somebody else waits for continues, and the rest of it is held slim.
 */
export class ExpectedKinds {
  readonly #mostBytes: number;
  readonly #kinds = new Map<string, Expected>();
  readonly #units = new Set<string>();
  #changed = Promise.withResolvers<undefined>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** From now on, kinds can be added for a unit. */
  begin(unit: string): void {
    this.#units.add(unit);
  }

  /** Returns false if the unit already expects targets of the kind, or no longer expects any. */
  add(unit: string, kind: GroupKind): boolean {
    if (!this.#units.has(unit)) {
      return false;
    }
    const known = this.#kinds.get(textOf(kind));
    const expected = known ?? { kind, units: new Set<string>(), bytes: 0, isUrgent: false };
    const isNew = !expected.units.has(unit);
    expected.units.add(unit);
    this.#kinds.set(textOf(kind), expected);
    return isNew;
  }

  /** The targets of a unit are known, or there won't be any. Returns the kinds that no unit expects anymore. */
  end(unit: string): readonly GroupKind[] {
    this.#units.delete(unit);
    const ended: GroupKind[] = [];
    for (const [text, { kind, units }] of this.#kinds) {
      if (units.delete(unit) && units.size === 0) {
        this.#kinds.delete(text);
        ended.push(kind);
      }
    }
    this.#wake();
    return ended;
  }

  /** Somebody waits for the lists of these kinds. */
  hurry(kinds: readonly GroupKind[]): void {
    for (const kind of this.#kinds.size === 0 ? [] : kinds) {
      const expected = this.#kinds.get(textOf(kind));
      if (expected !== undefined) {
        expected.isUrgent = true;
      }
    }
    this.#wake();
  }

  /** True if any object of the kind may be a target, and there's room for it. */
  holds(kind: GroupKind): boolean {
    return this.#kinds.size > 0 && this.#kinds.has(textOf(kind)) && this.#hasRoom();
  }

  /** Counts a page of a list; resolves when the next one may be requested. */
  async afterPage(kind: GroupKind, bytes: number): Promise<void> {
    const expected = this.#kinds.get(textOf(kind));
    if (expected !== undefined) {
      expected.bytes += bytes;
    }
    while (this.#kinds.get(textOf(kind))?.isUrgent === false && !this.#hasRoom()) {
      await this.#changed.promise;
    }
  }

  #hasRoom(): boolean {
    let sum = 0;
    for (const { bytes } of this.#kinds.values()) {
      sum += bytes;
    }
    return sum <= this.#mostBytes;
  }

  #wake(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }
}

function textOf({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
