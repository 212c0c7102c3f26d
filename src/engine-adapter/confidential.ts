import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { checksumAnnotation } from "@weir/flux";
import { scrubSecrets } from "@weir/kube";

/** Values that must not be shown, as texts. */
export type Confidential = ReadonlySet<string>;

/** A text that contains a value of at least this length reveals it. */
const tellingLength = 6;

/** The masks of a value: the second one shows that it differs from the first. */
const mask = "++++++++";
const otherMask = "+++++++++";

/** A message about an object, without quotes of confidential values. */
export function hideInMessage(message: string, confidential: Confidential | undefined): string {
  if (confidential === undefined || confidential.size === 0) {
    return message;
  }
  const values = Object.fromEntries([...confidential].map((value, index) => [String(index), value]));
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "" }, stringData: values };
  return scrubSecrets(message, [object]);
}

/**
 * Masks the confidential values in two states of an object, and whatever was in their place in the other state. Equal
 * values stay equal.
 */
export function hideInStates(
  [before, after]: readonly [JsonObject | null, JsonObject | null],
  confidential: Confidential | undefined,
): readonly [JsonObject | null, JsonObject | null] {
  if (confidential === undefined || confidential.size === 0) {
    return [before, after];
  }
  // Somebody who knows the rest of a manifest could try values until its checksum matches.
  const hidden = new Set([...confidential, ...[before, after].flatMap(checksumIn)]);
  const long = [...hidden].filter((text) => text.length >= tellingLength);
  const tells = (value: Scalar): boolean => {
    const text = String(value);
    return hidden.has(text) || long.some((part) => text.includes(part));
  };
  const [hiddenBefore, hiddenAfter] = hide(before ?? undefined, after ?? undefined, tells);
  return [asObject(hiddenBefore), asObject(hiddenAfter)];
}

function checksumIn(object: JsonObject | null): readonly string[] {
  const metadata = object?.["metadata"];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const checksum = isJsonObject(annotations) ? annotations[checksumAnnotation] : undefined;
  return typeof checksum === "string" ? [checksum] : [];
}

type Part = JsonValue | undefined;

type Scalar = string | number | boolean;

function isScalar(part: Part): part is Scalar {
  return typeof part === "string" || typeof part === "number" || typeof part === "boolean";
}

function hide(before: Part, after: Part, tells: (value: Scalar) => boolean): readonly [Part, Part] {
  if (isCollection(before) || isCollection(after)) {
    return hideParts(before, after, tells);
  }
  const isSecret = [before, after].some((part) => isScalar(part) && tells(part));
  if (!isSecret) {
    return [before, after];
  }
  return [
    before === undefined ? before : mask,
    after === undefined ? after : before === undefined || after === before ? mask : otherMask,
  ];
}

function isCollection(part: Part): boolean {
  return isJsonArray(part) || isJsonObject(part);
}

function hideParts(before: Part, after: Part, tells: (value: Scalar) => boolean): readonly [Part, Part] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const hidden = new Map(names.map((name) => [name, hide(old.get(name), now.get(name), tells)]));
  return [rebuilt(before, (name) => hidden.get(name)?.[0]), rebuilt(after, (name) => hidden.get(name)?.[1])];
}

/** The parts of a collection; items of lists by their name, if they have one. */
function partsOf(part: Part): ReadonlyMap<string, Part> {
  if (isJsonArray(part)) {
    return new Map(part.map((item, index) => [itemName(item, index), item]));
  }
  return new Map(isJsonObject(part) ? Object.entries(part) : []);
}

function itemName(item: JsonValue, index: number): string {
  const name = isJsonObject(item) ? item["name"] : undefined;
  return typeof name === "string" ? `name ${name}` : String(index);
}

function rebuilt(part: Part, hidden: (name: string) => Part): Part {
  if (isJsonArray(part)) {
    return part.map((item, index) => hidden(itemName(item, index)) ?? item);
  }
  return isJsonObject(part)
    ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, hidden(name) ?? value]))
    : part;
}

function asObject(part: Part): JsonObject | null {
  return isJsonObject(part) ? part : null;
}
