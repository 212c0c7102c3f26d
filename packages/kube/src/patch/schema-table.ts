import { invariant } from "@weir/base";
import { type FieldRules, parseStrategies } from "./patch-types.ts";

/**
 * One type as a line of the built-in table, with fields separated by spaces: `name`, then as needed `=` and
 * the type of its value or items, `!` and its strategies, `:` and its merge key, and `#` for quantities. E.g.
 * "containers=core.v1.Container!merge:name overhead#".
 */
export function printTypeLine(fields: ReadonlyMap<string, FieldRules>): string {
  return [...fields].map(([name, rules]) => printField(name, rules)).join(" ");
}

/** The fields in a line of the table. */
export function parseTypeLine(line: string): ReadonlyMap<string, FieldRules> {
  return new Map(line.split(" ").map(parseField));
}

function printField(name: string, rules: FieldRules): string {
  const type = rules.type === undefined ? "" : `=${rules.type}`;
  const strategies = rules.strategies.length === 0 ? "" : `!${rules.strategies.join(",")}`;
  const mergeKey = rules.mergeKey === undefined ? "" : `:${rules.mergeKey}`;
  return `${name}${type}${strategies}${mergeKey}${rules.isQuantity === true ? "#" : ""}`;
}

const field =
  /^(?<name>[^=!:#]+)(=(?<type>[^!:#]+))?(!(?<strategies>[^:#]+))?(:(?<mergeKey>[^#]+))?(?<quantity>#)?$/;

function parseField(text: string): readonly [string, FieldRules] {
  const parts = field.exec(text)?.groups;
  invariant(parts?.["name"] !== undefined, `the table of patch rules has an invalid field: ${text}`);
  const { type, mergeKey } = parts;
  return [
    parts["name"],
    {
      strategies: parseStrategies(parts["strategies"] ?? ""),
      ...(type === undefined ? {} : { type }),
      ...(mergeKey === undefined ? {} : { mergeKey }),
      ...(parts["quantity"] === undefined ? {} : { isQuantity: true }),
    },
  ];
}
