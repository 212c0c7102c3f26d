import { deleteMember, isJsonArray, type JsonValue, membersOf, setMember } from "@weir/base";
import { parseIndex, parseJsonPointer } from "./json-pointer.ts";
import { PatchError } from "./patch-error.ts";

/**
 * A copy of a JSON document that is modified in place with RFC 6901 pointers. Its methods throw PatchError if
 * a pointer doesn't exist.
 */
export class JsonDocument {
  readonly #root: DraftMap = {};

  constructor(value: JsonValue) {
    this.#root["document"] = copyOf(value);
  }

  /** The current document. */
  get value(): JsonValue {
    return this.#root["document"] ?? null;
  }

  /** The value at a pointer; undefined if its map has no such member. */
  get(pointer: string): JsonValue | undefined {
    return read(this.#placeOf(pointer));
  }

  /** Sets a member of a map, or inserts an item into a list ("-" appends). Copies the value. */
  add(pointer: string, value: JsonValue): void {
    this.#insert(pointer, copyOf(value));
  }

  /** Sets a member of a map, whether it exists or not, or replaces an existing item. Copies the value. */
  replace(pointer: string, value: JsonValue): void {
    const { container, step } = this.#placeOf(pointer);
    if (Array.isArray(container)) {
      container[parseIndex(step, container.length)] = copyOf(value);
    } else {
      setMember(container, step, copyOf(value));
    }
  }

  /** Removes a member or an item. */
  remove(pointer: string): void {
    this.#take(pointer);
  }

  /** Moves a value. */
  move(from: string, to: string): void {
    this.#insert(to, this.#take(from));
  }

  #insert(pointer: string, value: Draft): void {
    const { container, step } = this.#placeOf(pointer);
    if (Array.isArray(container)) {
      const place = step === "-" ? container.length : parseIndex(step, container.length + 1);
      container.splice(place, 0, value);
    } else {
      setMember(container, step, value);
    }
  }

  #take(pointer: string): Draft {
    const place = this.#placeOf(pointer);
    const value = read(place);
    if (value === undefined || place.container === this.#root) {
      throw new PatchError("bad-patch", `there is nothing to remove at ${JSON.stringify(pointer)}`);
    }
    if (Array.isArray(place.container)) {
      place.container.splice(parseIndex(place.step, place.container.length), 1);
    } else {
      deleteMember(place.container, place.step);
    }
    return value;
  }

  /** The list or map that contains the pointer's last step. */
  #placeOf(pointer: string): Place {
    let place: Place = { container: this.#root, step: "document" };
    for (const step of parseJsonPointer(pointer)) {
      const container = read(place);
      if (typeof container !== "object" || container === null) {
        throw new PatchError("bad-patch", `doc is missing path: ${JSON.stringify(pointer)}`);
      }
      place = { container, step };
    }
    return place;
  }
}

type Draft = string | number | boolean | null | Draft[] | DraftMap;

interface DraftMap {
  [key: string]: Draft;
}

interface Place {
  readonly container: Draft[] | DraftMap;
  readonly step: string;
}

function read({ container, step }: Place): Draft | undefined {
  if (Array.isArray(container)) {
    return container[parseIndex(step, container.length)];
  }
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

function copyOf(value: JsonValue): Draft {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isJsonArray(value)) {
    return value.map(copyOf);
  }
  const copy: DraftMap = {};
  for (const [key, member] of membersOf(value)) {
    setMember(copy, key, copyOf(member));
  }
  return copy;
}
