import { type FieldError, faults } from "../../field-errors.ts";
import { equalNodes } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { dns1035Label, inOneMessage, type TextRule } from "../../validate/text-rules.ts";
import { checkSchema } from "./validate-schema.ts";

/** What is wrong with the versions of a definition, but for the parts that all have in common. */
export function checkVersions(versions: Field): FieldError[] {
  const names = versions.items.map((version) => version.at("name"));
  const [first] = names;
  const isTwice = new Set(names.map(({ text }) => text)).size < names.length;
  const stored = versions.items.filter((version) => version.at("storage").isTrue);
  const shown = versions.value ?? [];
  const own = parts.filter(({ name }) => !isShared(versions, name));
  return faults(
    versions.each((version) => [
      ...version.at("name").follows(label),
      ...own.flatMap(({ name, check }) => check(version.at(name))),
    ]),
    isTwice && versions.invalid("must contain unique version names", shown),
    stored.length === 1 || versions.invalid("must have exactly one version marked as storage version", shown),
    // The first version has a field of its own in the form of definitions that the API server judges.
    first !== undefined && first.text !== "" && first.shownAs("spec.version").follows(label),
  );
}

/** What is wrong with the parts that all versions have in common; the API server keeps them in other places. */
export function checkSharedParts(versions: Field): FieldError[] {
  const [first] = versions.items;
  if (first === undefined) {
    return [];
  }
  return parts
    .filter(({ name }) => isShared(versions, name))
    .flatMap(({ name, place, check }) => check(first.at(name).shownAs(place)));
}

function isShared(versions: Field, name: string): boolean {
  const [first, ...others] = versions.items.map((version) => version.at(name));
  return (
    first?.value !== undefined &&
    others.every((other) => equalNodes(other.value ?? null, first.value ?? null))
  );
}

const label = inOneMessage(dns1035Label);

/** Parts of versions, with the place of those that all versions have in common. */
const parts: readonly {
  readonly name: string;
  readonly place: string;
  readonly check: (part: Field) => FieldError[];
}[] = [
  {
    name: "schema",
    place: "spec.validation",
    check: (part) => checkSchema(part.at("openAPIV3Schema")),
  },
  { name: "subresources", place: "spec.subresources", check: (part) => checkScale(part.at("scale")) },
  {
    name: "additionalPrinterColumns",
    place: "spec.additionalPrinterColumns",
    check: (part) => part.each(checkColumn),
  },
];

function checkScale(scale: Field): FieldError[] {
  return faults(
    scale.isSet && [
      ...scale.at("specReplicasPath").needs(pathBelow(".spec")),
      ...scale.at("statusReplicasPath").needs(pathBelow(".status")),
      ...scale.at("labelSelectorPath").check(pathBelow(".spec", ".status")),
    ],
  );
}

/** A path below one of some fields of the object. */
function pathBelow(...roots: readonly string[]): TextRule {
  const where = roots.length === 1 ? roots.join("") : `either ${roots.join(" or ")}`;
  return (path) => {
    const found = simplePath(path);
    const isBelow = roots.some((root) => path.startsWith(`${root}.`));
    return found.length > 0 || isBelow ? found : [`should be a json path under ${where}`];
  };
}

const simplePath: TextRule = (path) =>
  path.startsWith(".") ? [] : ["must be a simple json path starting with ."];

const columnTypes = ["boolean", "date", "integer", "number", "string"];

function checkColumn(column: Field): FieldError[] {
  const why = `must be one of ${columnTypes.join(",")}`;
  return [
    ...column.at("name").needs(),
    ...column.at("type").needs((type) => (columnTypes.includes(type) ? [] : [why]), why),
    ...column.at("jsonPath").shownAs(`${column.path}.JSONPath`).needs(simplePath),
  ];
}
