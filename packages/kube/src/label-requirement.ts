/** How a requirement compares a label. */
export type LabelOperator = "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** The labels of an object, if it has any. */
export type Labels = Readonly<Record<string, string>> | null | undefined;

/** A selector is invalid; the message says where. */
export class LabelSelectorError extends Error {
  override readonly name = "LabelSelectorError";
}

const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefix = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Creates a well-formed requirement. Throws LabelSelectorError if the parts are invalid or don't match. */
export function createRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  requireKey(key);
  requireValues(key, operator, values);
  return { key, operator, values };
}

/** True if labels meet the requirement. A missing label meets only "notin" and "!". */
export function meets(labels: Labels, { key, operator, values }: LabelRequirement): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
      return value !== undefined && values.includes(value);
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
      return isOrdered(values[0], value);
    case "lt":
      return isOrdered(value, values[0]);
  }
}

function isOrdered(less: string | undefined, more: string | undefined): boolean {
  const a = parseInteger(less);
  const b = parseInteger(more);
  return a !== undefined && b !== undefined && a < b;
}

function parseInteger(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?[0-9]{1,19}$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
}

function requireKey(key: string): void {
  const [local = "", domain, ...rest] = key.split("/").reverse();
  const isDomain = domain === undefined || (domain.length <= 253 && prefix.test(domain));
  if (rest.length > 0 || !isDomain || local.length > 63 || !name.test(local)) {
    throw new LabelSelectorError(`${JSON.stringify(key)} is not a valid label key`);
  }
}

function requireValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  const isCount = {
    in: values.length > 0,
    notin: values.length > 0,
    exists: values.length === 0,
    "!": values.length === 0,
    gt: values.length === 1,
    lt: values.length === 1,
  }[operator];
  if (!isCount) {
    throw new LabelSelectorError(`${values.length} values do not go with "${operator}" on label ${key}`);
  }
  const wrong = values.find((value) => !isValue(value, operator));
  if (wrong !== undefined) {
    throw new LabelSelectorError(`${JSON.stringify(wrong)} is not a value of label ${key} for "${operator}"`);
  }
}

function isValue(value: string, operator: LabelOperator): boolean {
  if (operator === "gt" || operator === "lt") {
    return parseInteger(value) !== undefined;
  }
  return value === "" || (value.length <= 63 && name.test(value));
}
