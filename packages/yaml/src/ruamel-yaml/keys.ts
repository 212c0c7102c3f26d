import { EditError } from "./errors.ts";
import { MappingValue } from "./mapping-value.ts";
import type { Node } from "./node.ts";
import { tags } from "./resolve.ts";
import { identityOf } from "./scalar-value.ts";
import { type Mapping, SequenceValue, type Value } from "./value.ts";

/** A key in a mapping, and its identity. */
export interface Key {
  readonly key: Value;
  readonly identity: string;
}

/**
 * Converts a value to a key. A collection can be a key if it contains only scalars; it then loses its comments, its
 * tag, and its anchor.
 *
 * @throws EditError for a collection that can't be compared
 */
export function keyOf(value: Value, node: Node): Key {
  switch (value.kind) {
    case "scalar":
      return { key: value, identity: identityOf(value) };
    case "sequence":
      return sequenceKey(value, node);
    case "mapping":
      return mappingKey(value, node);
    case "set":
      throw unfit(node);
  }
}

function sequenceKey(value: SequenceValue, node: Node): Key {
  const key = new SequenceValue(tags.sequence, undefined);
  key.items.push(...value.items);
  key.flow = isFlow(node);
  key.isKey = true;
  return {
    key,
    identity: identityOfAll(
      "sequence",
      value.items.map((item) => scalarIdentity(item, node)),
    ),
  };
}

function mappingKey(value: Mapping, node: Node): Key {
  const key: Mapping = new MappingValue(tags.mapping);
  key.flow = isFlow(node);
  key.isKey = true;
  const parts: string[] = [];
  for (const identity of value.keys()) {
    const entry = value.entry(identity);
    if (entry !== undefined) {
      key.add(identity, entry.key, entry.value);
      parts.push(identity, scalarIdentity(entry.value, node));
    }
  }
  return { key, identity: identityOfAll("mapping", parts) };
}

function identityOfAll(kind: string, parts: readonly string[]): string {
  return `\0${kind} ${JSON.stringify(parts)}`;
}

function scalarIdentity(value: Value, node: Node): string {
  if (value.kind !== "scalar") {
    throw unfit(node);
  }
  return identityOf(value);
}

function isFlow(node: Node): boolean {
  return node.kind !== "scalar" && node.flow;
}

function unfit(node: Node): EditError {
  return new EditError("a key must be a scalar or a collection of scalars", node.line + 1);
}
