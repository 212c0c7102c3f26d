import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { printRef, readRef } from "./image-ref.ts";
import { readId } from "./resource-id.ts";

/** Flux answers 400 to what it is sent. */
class Refused extends Error {
  override readonly name = "Refused";
}

/** Reads a field that may be missing (undefined) or null. Throws Refused. */
type Read = (value: JsonValue | undefined) => JsonValue;

/**
 * What Flux makes of the body of an update, as it writes it into results and notes; undefined for one that it answers
 * with 400. Texts that are no image and no workload are found only when the job runs. pkg/update/spec.go, and Go's
 * encoding/json: keys in any case, null and what is missing is nothing, other types are refused.
 */
export function readUpdateSpec(body: JsonValue): JsonObject | undefined {
  return orUndefined(() => {
    const wire = fieldsOf(body);
    const type = text(wire("type"));
    const cause = struct({ Message: text, User: text })(wire("cause"));
    const read = specs[type] ?? refuse();
    return { type, cause, spec: read(wire("spec") ?? nothingFor(wire("spec"))) };
  });
}

/** What Flux makes of a map of policy changes, as readUpdateSpec. pkg/policy/policy.go. */
export function readPolicyUpdates(body: JsonValue): JsonValue | undefined {
  return orUndefined(() => policyUpdates(body));
}

/** What Flux is told by a notice: undefined for what it answers with 400. pkg/api/v9/change.go. */
export function readChange(body: JsonValue): JsonObject | undefined {
  return orUndefined(() => {
    const wire = fieldsOf(body);
    const kind = text(wire("Kind"));
    const read = sources[kind] ?? refuse();
    return { Kind: kind, Source: read(wire("Source") ?? nothingFor(wire("Source"))) };
  });
}

const bool: Read = (value) => (isMissing(value) ? false : typeof value === "boolean" ? value : refuse());

const id: Read = (value) => (isMissing(value) || value === "" ? "" : (readId(text(value)) ?? refuse()));

/** Missing it is the empty reference, but null and "" cannot be read. */
const imageRef: Read = (value) => {
  if (value === undefined) {
    return "";
  }
  const ref = readRef(text(value));
  return ref.ok ? printRef(ref) : refuse();
};

/** Weir differs on purpose (docs/differences.md): Flux takes a missing target as the empty image. */
const target: Read = (value) => (value === undefined ? refuse() : imageRef(value));

const containerUpdate = struct({ Container: plainText, Current: imageRef, Target: target });

const policyUpdates = mapOf(struct({ add: policySet, remove: policySet }));

const specs: Readonly<Record<string, Read>> = {
  image: struct({
    ServiceSpecs: listOf(plainText),
    ImageSpec: plainText,
    Kind: plainText,
    Excludes: listOf(id),
    Force: bool,
  }),
  containers: struct({
    Kind: plainText,
    ContainerSpecs: mapOf(listOf(containerUpdate)),
    SkipMismatches: bool,
    Force: bool,
  }),
  policy: policyUpdates,
  auto: struct({
    Changes: listOf(
      struct({ WorkloadID: id, Container: struct({ Name: plainText, Image: imageRef }), ImageID: imageRef }),
    ),
  }),
  sync: struct({}),
};

const sources: Readonly<Record<string, Read>> = {
  git: struct({ URL: plainText, Branch: plainText }),
  image: struct({ Name: struct({ Domain: plainText, Image: plainText }) }),
};

/** A spec or source may be null, but it has to be there. */
function nothingFor(value: JsonValue | undefined): null {
  return value === undefined ? refuse() : null;
}

function plainText(value: JsonValue | undefined): JsonValue {
  return text(value);
}

function text(value: JsonValue | undefined): string {
  return isMissing(value) ? "" : typeof value === "string" ? value : refuse();
}

function struct(fields: Readonly<Record<string, Read>>): Read {
  return (value) => {
    const field = fieldsOf(value ?? null);
    return Object.fromEntries(Object.entries(fields).map(([key, read]) => [key, read(field(key))]));
  };
}

function listOf(read: Read): Read {
  return (value) => (isMissing(value) ? null : isJsonArray(value) ? value.map(read) : refuse());
}

function mapOf(read: Read): Read {
  return (value) => {
    if (isMissing(value)) {
      return null;
    }
    const entries = Object.entries(isJsonObject(value) ? value : refuse());
    return Object.fromEntries(entries.map(([key, item]) => [readId(key) ?? refuse(), read(item)]));
  };
}

/** A map of texts, or a list of the policies that are to be "true". */
function policySet(value: JsonValue | undefined): JsonValue {
  if (isMissing(value)) {
    return null;
  }
  if (isJsonArray(value)) {
    return Object.fromEntries(value.map((policy) => [text(policy), "true"]));
  }
  const entries = Object.entries(isJsonObject(value) ? value : refuse());
  return Object.fromEntries(entries.map(([policy, setting]) => [policy, text(setting)]));
}

function fieldsOf(value: JsonValue): (key: string) => JsonValue | undefined {
  const object = value === null ? {} : isJsonObject(value) ? value : refuse();
  return (key) => {
    const found = Object.keys(object).findLast((each) => each.toLowerCase() === key.toLowerCase());
    return found === undefined ? undefined : object[found];
  };
}

function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function refuse(): never {
  throw new Refused();
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) {
      return undefined;
    }
    throw error;
  }
}
