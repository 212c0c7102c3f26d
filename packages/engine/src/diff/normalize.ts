import { deleteMember, draftOf, isJsonObject, type JsonObject, type JsonValue, memberOf } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { PatchSchema } from "@weir/kube/patch";
import { asJson } from "./as-json.ts";
import { coversValue } from "./coverage.ts";
import { coversJson } from "./json-coverage.ts";
import { carryLastApplied, lastAppliedText, wasAppliedFrom } from "./last-applied.ts";
import { storedForm } from "./stored-form.ts";

/**
 * What a comparison says: "changed": something else was applied last, or in another API version; "doubtful": the same
 * was applied last, but some fields look different. Either somebody changed them, or the server keeps them in another
 * form.
 */
export type Verdict = "in-sync" | "doubtful" | "changed";

/**
 * True if there is nothing to send for a target that `withLastApplied` returned: the live object was applied
 * from the same text and still has all of its fields. Much faster than computing a patch. Always true if
 * kubectl would send an empty patch. Also true if kubectl would send a patch that can't change anything: a
 * quantity in another notation, null or an empty list for an absent field, an order that the list already
 * has, a map that is sent although it's equal, a status, a Secret's `stringData` that its data already
 * contains, or defaults that the API server would restore.
 */
export function isInSync(target: KubeObject, live: KubeObject, schema: PatchSchema | undefined): boolean {
  const text = lastAppliedText(target);
  const isSame =
    text !== undefined && text === lastAppliedText(live) && target.apiVersion === live.apiVersion;
  return isSame && coversFields(target, live, schema);
}

/** The verdict on a manifest, with or without the last-applied annotation, and a live object. */
export function verdictOn(manifest: KubeObject, live: KubeObject, schema: PatchSchema | undefined): Verdict {
  if (manifest.apiVersion !== live.apiVersion || !wasAppliedFrom(live, manifest)) {
    return "changed";
  }
  // An annotation that the manifest itself has is replaced when it's applied.
  const target = lastAppliedText(manifest) === undefined ? manifest : carryLastApplied(live, manifest);
  return coversFields(target, live, schema) ? "in-sync" : "doubtful";
}

function coversFields(target: KubeObject, live: KubeObject, schema: PatchSchema | undefined): boolean {
  const wanted = asJson(target);
  const there = asJson(live);
  if (schema === undefined) {
    return coversJson(there, wanted);
  }
  return coversObject(there, wanted, schema) || coversStored(there, target, schema);
}

function coversStored(live: JsonObject, target: KubeObject, schema: PatchSchema): boolean {
  const stored = storedForm(target);
  return stored !== target && coversObject(live, stored, schema);
}

function coversObject(live: JsonObject, target: JsonObject, schema: PatchSchema): boolean {
  return Object.keys(target).every((key) => {
    const value = memberOf(target, key) ?? null;
    return key === "status" || coversRoot(key, memberOf(live, key), value, schema);
  });
}

function coversRoot(
  key: string,
  live: JsonValue | undefined,
  target: JsonValue,
  schema: PatchSchema,
): boolean {
  const wanted = key === "metadata" && isJsonObject(target) ? withoutCreation(target) : target;
  return coversValue(live, wanted, schema.field(key));
}

/** Tools write `creationTimestamp: null`; the API server keeps the time that it set. */
function withoutCreation(metadata: JsonObject): JsonObject {
  if (memberOf(metadata, "creationTimestamp") !== null) {
    return metadata;
  }
  const others = draftOf(metadata);
  deleteMember(others, "creationTimestamp");
  return others;
}
