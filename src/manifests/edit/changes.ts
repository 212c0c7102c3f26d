import {
  type Mapping,
  MappingValue,
  type ScalarStyle,
  type ScalarValue,
  stringIdentity,
  tags,
} from "@weir/yaml/ruamel-yaml";
import { type Place, readableString } from "./readable-string.ts";

/** An entry that was set, added or removed. */
export interface Change {
  readonly mapping: Mapping;
  readonly key: string;
}

/** Makes an edit's changes to the values of a document, and keeps account of them. */
export class Changes {
  readonly made: Change[] = [];

  /**
   * Sets a field to a string. Over a string in quotes or in a block it keeps that style, as long as it reads back
   * as it is. Half a character, which no file can hold, becomes U+FFFD.
   */
  setText(mapping: Mapping, key: string, text: string): void {
    const value = readableString(text.toWellFormed(), styleFor(mapping, key), placesIn(mapping));
    mapping.set(stringIdentity(key), newKey(mapping, key), value);
    this.made.push({ mapping, key });
  }

  /** Sets a field to a new mapping, and gives that. */
  addMapping(mapping: Mapping, key: string): Mapping {
    const value: Mapping = new MappingValue(tags.mapping);
    value.flow = mapping.flow;
    mapping.set(stringIdentity(key), newKey(mapping, key), value);
    this.made.push({ mapping, key });
    return value;
  }

  /** Removes a field, if it is there. */
  remove(mapping: Mapping, key: string): void {
    mapping.delete(stringIdentity(key));
    this.made.push({ mapping, key });
  }
}

/** Keys that are added are strings too. */
function newKey(mapping: Mapping, key: string): ScalarValue {
  return readableString(key, "", placesIn(mapping));
}

/** What is put into `{}` stands on lines of its own, but within braces where the `{}` does. */
function placesIn({ flow, source }: Mapping): readonly Place[] {
  if (flow) {
    return ["flow"];
  }
  return source?.flow === true ? ["flow", "block"] : ["block"];
}

/** The style of the string that it takes the place of. */
function styleFor(mapping: Mapping, key: string): ScalarStyle {
  const identity = stringIdentity(key);
  const before = mapping.has(identity) ? mapping.get(identity) : undefined;
  return before?.kind === "scalar" && before.type === "string" ? before.style : "";
}
