/** What a script may use. All three are exact, so that a script ends in the same way on every machine. */
export interface LuaLimits {
  /** The number of operations; a library function counts as many as it has characters or elements to look at. */
  readonly steps: number;
  /** The bytes of all strings, tables, and functions that it makes, including those that it drops again. */
  readonly bytes: number;
  /** The number of calls within each other. */
  readonly depth: number;
}

/** A script used more than it may. Scripts can't catch this. */
export class LuaLimitError extends Error {
  override readonly name = "LuaLimitError";
}

/** What's left of a script's limits. */
export class Budget {
  readonly #limits: LuaLimits;
  #steps: number;
  #bytes: number;
  #depth = 0;

  constructor(limits: LuaLimits) {
    this.#limits = limits;
    this.#steps = limits.steps;
    this.#bytes = limits.bytes;
  }

  /** Throws LuaLimitError if fewer steps are left. */
  step(count = 1): void {
    this.#steps -= count;
    // Written so that NaN is too much as well.
    if (!(this.#steps >= 0)) {
      throw new LuaLimitError(`it needs more than ${this.#limits.steps} steps`);
    }
  }

  /** Called before something of this size is made. Throws LuaLimitError if less is left. */
  allocate(bytes: number): void {
    this.#bytes -= bytes;
    if (!(this.#bytes >= 0)) {
      throw new LuaLimitError(`it needs more than ${this.#limits.bytes} bytes`);
    }
  }

  /** Begins a call. Throws LuaLimitError if there are too many within each other. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) {
      throw new LuaLimitError(`it calls more than ${this.#limits.depth} functions within each other`);
    }
  }

  /** Ends a call. */
  leave(): void {
    this.#depth -= 1;
  }
}
