import { isYamlFloat, scalarText } from "@weir/yaml/go-yaml";
import { isList, isMapping, isScalar, membersOf, type Part } from "./fields.ts";
import type { Shape } from "./go-shape.ts";

/** The path to a part of a document: keys, and indexes of list items. */
export type PartPath = readonly (string | number)[];

/** A part of a document that doesn't fit the Go type that it's decoded into. */
export interface Misfit {
  readonly path: PartPath;
  readonly part: Part;
  /** The Go type. */
  readonly type: string;
}

/** Go's largest int64, as the double to compare with. */
const largestInt = 2 ** 63;

/** The parts of a document that don't fit a shape. A null or missing part fits any shape. */
export function misfitsOf(part: Part, shape: Shape, path: PartPath = []): readonly Misfit[] {
  if (part === undefined || part === null) {
    return [];
  }
  switch (shape.kind) {
    case "any":
      return [];
    case "text":
      return isScalar(part) ? [] : [{ path, part, type: "string" }];
    case "int":
      return isInt(part) ? [] : [{ path, part, type: "int" }];
    case "list":
      return isList(part)
        ? part.flatMap((item: Part, index) => misfitsOf(item, shape.item, [...path, index]))
        : [{ path, part, type: shape.type }];
    case "map":
    case "struct":
      return isMapping(part) ? misfitsOfMembers(part, shape, path) : [{ path, part, type: shape.type }];
  }
}

function misfitsOfMembers(
  part: Part,
  shape: Extract<Shape, { readonly kind: "map" | "struct" }>,
  path: PartPath,
): readonly Misfit[] {
  const misfits: Misfit[] = [];
  for (const [key, value] of membersOf(part)) {
    const name = scalarText(key);
    const memberShape = shape.kind === "map" ? shape.value : shape.fields.get(name);
    if (memberShape !== undefined && memberShape.kind !== "any" && !isFittingText(value, memberShape)) {
      misfitsOf(value, memberShape, [...path, name]).forEach((misfit) => misfits.push(misfit));
    }
  }
  return misfits;
}

/** Most parts: their place needn't be known. */
function isFittingText(part: Part, shape: Shape): boolean {
  return typeof part === "string" && shape.kind === "text";
}

/** As in yaml.v2, a float64 is truncated to an int unless it's too large. */
function isInt(part: Part): boolean {
  if (typeof part === "bigint") {
    return part < largestInt;
  }
  return typeof part === "number" || (isYamlFloat(part) && part.value <= largestInt);
}
