import { MappingValue } from "./yaml/mapping-value.ts";
import { tags } from "./yaml/resolve.ts";
import { newString, stringIdentity } from "./yaml/scalar-value.ts";
import { foldMark } from "./yaml/scan-block-scalar.ts";
import type { ScalarStyle } from "./yaml/token.ts";
import type { Mapping } from "./yaml/value.ts";

/** An entry that was set, added or removed. */
export interface Change {
  readonly mapping: Mapping;
  readonly key: string;
}

/** Makes an edit's changes to the values of a document, and keeps account of them. */
export class Changes {
  readonly made: Change[] = [];

  /** Sets a field to a string. Over a string in quotes or in a block it keeps that style. */
  setText(mapping: Mapping, key: string, text: string): void {
    const value = newString(text, styleFor(mapping, key, text));
    mapping.set(stringIdentity(key), newString(key), value);
    this.made.push({ mapping, key });
  }

  /** Sets a field to a new mapping, and gives that. */
  addMapping(mapping: Mapping, key: string): Mapping {
    const value: Mapping = new MappingValue(tags.mapping);
    value.flow = mapping.flow;
    mapping.set(stringIdentity(key), newString(key), value);
    this.made.push({ mapping, key });
    return value;
  }

  /** Removes a field, if it is there. */
  remove(mapping: Mapping, key: string): void {
    mapping.delete(stringIdentity(key));
    this.made.push({ mapping, key });
  }
}

/** In braces the recorded layout leaves this without quotes, where it reads as a key or a value of its own. */
const misreadInFlow = /^[?:]\s/;

function styleFor(mapping: Mapping, key: string, text: string): ScalarStyle {
  if (mapping.flow && misreadInFlow.test(text)) {
    return '"';
  }
  const identity = stringIdentity(key);
  const before = mapping.has(identity) ? mapping.get(identity) : undefined;
  if (before?.kind !== "scalar" || before.type !== "string") {
    return "";
  }
  return before.style === ">" && text.includes(foldMark) ? "" : before.style;
}
