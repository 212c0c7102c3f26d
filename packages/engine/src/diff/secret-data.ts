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

/** The fields with the confidential values of a Secret. */
const secretFields = ["data", "stringData"] as const;

/**
 * Masks two states of a Secret (either can be missing) so that they can be shown: each value of `data` and
 * `stringData`, and the last-applied annotation, is replaced by plus signs. For each key, equal values stay
 * equal and different values stay different within the pair; nothing else is revealed, neither lengths nor
 * similarities between keys. Objects of other kinds are returned unchanged.
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

/** If the values aren't in a map as they should be, all of it is masked. */
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

/** Gives each distinct value of a slot its own mask. */
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
