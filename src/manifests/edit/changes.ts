import {
  type Mapping,
  MappingValue,
  type ScalarStyle,
  type ScalarValue,
  stringIdentity,
  tags,
} from "@weir/yaml/ruamel-yaml";
import { type Place, readableString } from "./readable-string.ts";

/** An entry that was set, added, or removed. */
export interface Change {
  readonly mapping: Mapping;
  readonly key: string;
}

/** Applies an edit's changes to the values of a document, and records them. */
export class Changes {
  readonly made: Change[] = [];

  /**
   * Sets a field to a string. If the old string is quoted or a block, the new one keeps that style, provided that it
   * reads back unchanged. Half a surrogate pair, which no file can contain, becomes U+FFFD.
   */
  setText(mapping: Mapping, key: string, text: string): void {
    const value = readableString(text.toWellFormed(), styleFor(mapping, key), placesIn(mapping));
    mapping.set(stringIdentity(key), newKey(mapping, key), value);
    this.made.push({ mapping, key });
  }

  /** Sets a field to a new mapping, and returns it. */
  addMapping(mapping: Mapping, key: string): Mapping {
    const value: Mapping = new MappingValue(tags.mapping);
    value.flow = mapping.flow;
    mapping.set(stringIdentity(key), newKey(mapping, key), value);
    this.made.push({ mapping, key });
    return value;
  }

  /** Removes a field if it exists. */
  remove(mapping: Mapping, key: string): void {
    mapping.delete(stringIdentity(key));
    this.made.push({ mapping, key });
  }
}

/** Added keys are strings too. */
function newKey(mapping: Mapping, key: string): ScalarValue {
  return readableString(key, "", placesIn(mapping));
}

/** An entry that's added to `{}` gets its own line, unless the `{}` itself is inside braces. */
function placesIn({ flow, source }: Mapping): readonly Place[] {
  if (flow) {
    return ["flow"];
  }
  return source?.flow === true ? ["flow", "block"] : ["block"];
}

/** The style of the string that's replaced. */
function styleFor(mapping: Mapping, key: string): ScalarStyle {
  const identity = stringIdentity(key);
  const before = mapping.has(identity) ? mapping.get(identity) : undefined;
  return before?.kind === "scalar" && before.type === "string" ? before.style : "";
}
