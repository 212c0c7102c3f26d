/**
 * Lists the fields in which two states of an object differ. Items of lists are matched by their names, so that a
 * container that moved isn't a difference in each of its fields. Pure.
 */
import { equalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { JsonPath } from "@weir/engine";
import { checksumAnnotation, markLabel } from "@weir/flux";

/** A field with another value, or a field that only one state has. */
export interface Difference {
  /** For people: "metadata.labels[a.b/c]", "spec.containers[name=app].image". */
  readonly path: string;
  /** The place in the first state; undefined if the first state doesn't have the field. */
  readonly place?: JsonPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Fields that fluxd writes for itself. */
const ownFields: ReadonlySet<string> = new Set([
  `metadata.annotations[${checksumAnnotation}]`,
  `metadata.labels[${markLabel}]`,
]);

/** The differences, in the order of the first state; marks of fluxd aren't listed. */
export function differencesBetween(before: JsonObject, after: JsonObject): readonly Difference[] {
  return compare({ path: "", place: [], before, after }).filter(({ path }) => !ownFields.has(path));
}

function compare(pair: Difference): readonly Difference[] {
  const { before, after } = pair;
  if (before !== undefined && after !== undefined && equalJson(before, after)) {
    return [];
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      compare(
        below(pair, { label: fieldLabel(pair.path, name), step: name, of: [before[name], after[name]] }),
      ),
    );
  }
  if (isJsonArray(before) && isJsonArray(after)) {
    return compareLists(pair, before, after);
  }
  return [pair];
}

function compareLists(
  pair: Difference,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly Difference[] {
  const [old, now] = [byName(before), byName(after)];
  if (old !== undefined && now !== undefined) {
    const names = [...new Set([...old.keys(), ...now.keys()])];
    const found = names.flatMap((name) => {
      const label = `[name=${name}]`;
      const step = before.findIndex((item) => nameOf(item) === name);
      return compare(below(pair, { label, step, of: [old.get(name), now.get(name)] }));
    });
    return found.length === 0 ? [pair] : found;
  }
  if (before.length !== after.length) {
    return [pair];
  }
  return before.flatMap((item, index) =>
    compare(below(pair, { label: `[${index}]`, step: index, of: [item, after[index]] })),
  );
}

interface Child {
  readonly label: string;
  readonly step: string | number;
  readonly of: readonly [JsonValue | undefined, JsonValue | undefined];
}

function below({ path, place }: Difference, { label, step, of: [before, after] }: Child): Difference {
  const isThere = place !== undefined && before !== undefined;
  return { path: path + label, ...(isThere ? { place: [...place, step] } : {}), before, after };
}

/** Keys such as names of labels contain dots themselves. */
function fieldLabel(parent: string, name: string): string {
  const isPlain = /^[A-Za-z0-9_-]+$/.test(name);
  return isPlain ? `${parent === "" ? "" : "."}${name}` : `[${name}]`;
}

/** The items of a list if each has a name of its own. */
function byName(list: readonly JsonValue[]): ReadonlyMap<string, JsonValue> | undefined {
  const named = new Map(
    list.flatMap((item) => {
      const name = nameOf(item);
      return name === undefined ? [] : [[name, item] as const];
    }),
  );
  return named.size === list.length ? named : undefined;
}

function nameOf(item: JsonValue): string | undefined {
  const name = isJsonObject(item) ? item["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
