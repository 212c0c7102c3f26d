import {
  entriesOf,
  isYamlFloat,
  namedEntriesOf,
  type YamlMap,
  type YamlObject,
  type YamlScalar,
  type YamlValue,
  yamlMap,
} from "./value.ts";

/** Collects the entries of a mapping; of two equal keys, the last value counts, at the place of the first. */
export class MappingBuilder {
  #object: Record<string, YamlValue> | undefined = {};
  readonly #entries = new Map<string, readonly [YamlScalar, YamlValue]>();

  set(key: YamlScalar, value: YamlValue): void {
    if (this.#object !== undefined && typeof key === "string") {
      setOwn(this.#object, key, value);
      return;
    }
    this.#spread();
    this.#entries.set(identityOf(key), [key, value]);
  }

  /** Adds all entries of another mapping. */
  setAll(mapping: YamlObject | YamlMap): void {
    for (const [key, value] of entriesOf(mapping)) {
      this.set(key, value);
    }
  }

  build(): YamlObject | YamlMap {
    return this.#object ?? yamlMap([...this.#entries.values()]);
  }

  /** From the first key on that isn't a string, an object can't represent the mapping. */
  #spread(): void {
    for (const [key, value] of namedEntriesOf(this.#object ?? {})) {
      this.#entries.set(identityOf(key), [key, value]);
    }
    this.#object = undefined;
  }
}

function setOwn(object: Record<string, YamlValue>, key: string, value: YamlValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Distinguishes keys of different types. */
function identityOf(key: YamlScalar): string {
  if (typeof key === "string") {
    return `s${key}`;
  }
  if (isYamlFloat(key)) {
    return `f${key.value}`;
  }
  return typeof key === "object" && key !== null
    ? `b${Buffer.from(key.bytes).toString("hex")}`
    : `v${String(key)}`;
}
