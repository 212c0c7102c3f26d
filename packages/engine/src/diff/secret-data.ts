import {
  isJsonObject,
  isTooDeep,
  type JsonDraft,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import { groupOf, type KubeObject } from "@weir/kube";
import { asJson } from "./as-json.ts";
import { lastAppliedAnnotation } from "./last-applied.ts";

/** Where a Secret keeps what nobody may see. */
const secretFields = ["data", "stringData"] as const;

/**
 * Two states of a Secret (either may be missing) fit to be shown to people: each value of `data` and
 * `stringData`, and the last-applied annotation, is replaced by plus signs. Of one key, equal values are still
 * equal in the pair and different ones different; nothing else shows, no length and no likeness between keys.
 * Other kinds come back as they are.
 */
export function hideSecretData(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): readonly [KubeObject | undefined, KubeObject | undefined] {
  const masks = new Masks();
  return [hide(before, masks), hide(after, masks)];
}

function hide(object: KubeObject | undefined, masks: Masks): KubeObject | undefined {
  if (object?.kind !== "Secret" || groupOf(object.apiVersion) !== "") {
    return object;
  }
  const json = asJson(object);
  const hidden: JsonDraft = {};
  for (const field of secretFields) {
    const values = memberOf(json, field);
    if (values !== undefined) {
      hidden[field] = hideValues(field, values, masks);
    }
  }
  return { ...object, ...hidden, metadata: hideLastApplied(object.metadata, masks) };
}

/** Where the values should stand in a map and do not, all of it is hidden. */
function hideValues(slot: string, values: JsonValue, masks: Masks): JsonValue {
  if (!isJsonObject(values)) {
    return values === null ? null : masks.maskOf(slot, values);
  }
  const hidden: JsonDraft = {};
  for (const [key, value] of membersOf(values)) {
    setMember(hidden, key, masks.maskOf(`${slot}/${key}`, value));
  }
  return hidden;
}

function hideLastApplied(metadata: KubeObject["metadata"], masks: Masks): KubeObject["metadata"] {
  const text = metadata.annotations?.[lastAppliedAnnotation];
  return text === undefined
    ? metadata
    : {
        ...metadata,
        annotations: {
          ...metadata.annotations,
          [lastAppliedAnnotation]: masks.maskOf(lastAppliedAnnotation, text),
        },
      };
}

/** Gives each different value of a slot a mask of its own. */
class Masks {
  readonly #seen = new Map<string, string[]>();

  maskOf(slot: string, value: JsonValue): string {
    const seen = this.#seen.get(slot) ?? [];
    const text = isTooDeep(value) ? "" : JSON.stringify(value);
    const known = seen.includes(text) ? seen : [...seen, text];
    this.#seen.set(slot, known);
    return "+".repeat(8 + known.indexOf(text));
  }
}
