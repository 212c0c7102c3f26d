import type { Budget } from "./budget.ts";

/**
 * A value of a script. nil is undefined. A string has one character for each byte of its UTF-8 form, because a
 * string in Lua consists of bytes.
 */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction;

/** One evaluation of a script. */
export interface Run {
  readonly budget: Budget;
  /** The methods of strings. */
  readonly strings: LuaTable;
  /** The time, in milliseconds since the epoch. */
  readonly now: number;
  /** The line that is being evaluated, for error messages. */
  line: number;
}

/** What a function does: takes and returns any number of values. */
export type Invoke = (args: readonly LuaValue[], run: Run) => readonly LuaValue[];

/** A function of a script or of a library. */
export class LuaFunction {
  readonly invoke: Invoke;

  constructor(invoke: Invoke) {
    this.invoke = invoke;
  }
}

/** What a script threw. Scripts can catch it. */
export class LuaError extends Error {
  override readonly name = "LuaError";
  readonly value: LuaValue;

  constructor(value: LuaValue) {
    super(
      typeof value === "string" || typeof value === "number" ? String(value) : "an error without a message",
    );
    this.value = value;
  }
}

const bytesOfTable = 200;
const bytesOfEntry = 48;

type Key = Exclude<LuaValue, undefined>;

/**
 * A table: a list of the values at 1, 2, …, and the other keys in the order in which they were added. A removed
 * key keeps its place, so that a script can remove keys while it goes through them.
 */
export class LuaTable {
  metatable: LuaTable | undefined;
  readonly #list: LuaValue[] = [];
  readonly #keys: LuaValue[] = [];
  readonly #values: LuaValue[] = [];
  #places: Map<Key, number> | undefined;

  constructor(budget?: Budget) {
    budget?.allocate(bytesOfTable);
  }

  /** A border: the value there isn't nil, and the next one is. */
  get length(): number {
    return this.#list.length;
  }

  /** The value at a key, without metamethods. */
  get(key: LuaValue): LuaValue {
    const index = this.#indexOf(key);
    if (index !== undefined) {
      return this.#list[index];
    }
    const place = key === undefined ? undefined : this.#places?.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  /** Sets the value at a key that's neither nil nor NaN, without metamethods. */
  set(key: Key, value: LuaValue, budget?: Budget): void {
    const index = this.#indexOf(key);
    if (index !== undefined) {
      this.#list[index] = value;
      this.#trim();
    } else if (key === this.#list.length + 1 && value !== undefined) {
      budget?.allocate(bytesOfEntry);
      this.#unplace(key);
      this.#list.push(value);
      this.#moveToList(budget);
    } else {
      this.#setPlaced(key, value, budget);
    }
  }

  /** The key after another one, or the first one after nil, and its value. Undefined after the last one; throws LuaError. */
  next(key: LuaValue, budget: Budget): readonly [Key, LuaValue] | undefined {
    const index = typeof key === "number" && Number.isInteger(key) && key > 0 ? key : undefined;
    const place = key === undefined ? undefined : this.#places?.get(key);
    if (key === undefined || (index !== undefined && place === undefined)) {
      return this.#nextListed(index ?? 0, budget) ?? this.#nextPlaced(0, budget);
    }
    if (place === undefined) {
      throw new LuaError("invalid key to 'next'");
    }
    return this.#nextPlaced(place + 1, budget);
  }

  /** Inserts a value into the list, before the one that's there. */
  insert(index: number, value: LuaValue, budget: Budget): void {
    budget.step(this.#list.length);
    budget.allocate(bytesOfEntry);
    this.#list.splice(index - 1, 0, value);
    this.#trim();
    this.#moveToList(budget);
  }

  /** Removes a value from the list, and returns it. */
  remove(index: number, budget: Budget): LuaValue {
    budget.step(this.#list.length);
    const [removed] = this.#list.splice(index - 1, 1);
    this.#trim();
    return removed;
  }

  /** The values at 1, 2, …, up to the length. */
  list(): readonly LuaValue[] {
    return this.#list;
  }

  /** The index of a key in the list. */
  #indexOf(key: LuaValue): number | undefined {
    const isListed = typeof key === "number" && key > 0 && key <= this.#list.length && Number.isInteger(key);
    return isListed ? key - 1 : undefined;
  }

  #trim(): void {
    while (this.#list.length > 0 && this.#list.at(-1) === undefined) {
      this.#list.pop();
    }
  }

  #moveToList(budget: Budget | undefined): void {
    for (let value = this.#placed(); value !== undefined; value = this.#placed()) {
      budget?.step();
      this.#unplace(this.#list.length + 1);
      this.#list.push(value);
    }
  }

  /** The value that belongs at the end of the list. */
  #placed(): LuaValue {
    const place = this.#places?.get(this.#list.length + 1);
    return place === undefined ? undefined : this.#values[place];
  }

  /** Takes a key, which now belongs to the list, out of the others. */
  #unplace(key: Key): void {
    const place = this.#places?.get(key);
    if (place !== undefined) {
      this.#places?.delete(key);
      this.#keys[place] = undefined;
      this.#values[place] = undefined;
    }
  }

  #setPlaced(key: Key, value: LuaValue, budget?: Budget): void {
    const place = this.#places?.get(key);
    if (place !== undefined) {
      this.#values[place] = value;
    } else if (value !== undefined) {
      budget?.allocate(bytesOfEntry);
      this.#places ??= new Map();
      this.#places.set(key, this.#keys.length);
      this.#keys.push(key);
      this.#values.push(value);
    }
  }

  #nextListed(after: number, budget: Budget): readonly [Key, LuaValue] | undefined {
    for (let index = after; index < this.#list.length; index += 1) {
      budget.step();
      if (this.#list[index] !== undefined) {
        return [index + 1, this.#list[index]];
      }
    }
    return undefined;
  }

  #nextPlaced(from: number, budget: Budget): readonly [Key, LuaValue] | undefined {
    for (let place = from; place < this.#keys.length; place += 1) {
      budget.step();
      const key = this.#keys[place];
      if (key !== undefined && this.#values[place] !== undefined) {
        return [key, this.#values[place]];
      }
    }
    return undefined;
  }
}
