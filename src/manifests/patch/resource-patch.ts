import {
  draftOf,
  isEmptyObject,
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import { groupOf, versionOf } from "@weir/kube";
import {
  applyJsonMergePatch,
  applyStrategicMergePatch,
  builtinPatchSchema,
  createTwoWayJsonMergePatch,
  createTwoWayStrategicPatch,
  type PatchSchema,
} from "@weir/kube/patch";
import { encodeYaml } from "@weir/yaml/go-yaml";
import type { Manifest, ManifestContent } from "../manifest.ts";

/**
 * The document that turns one manifest into another, including the fields that identify the resource; undefined if both
 * are the same. Uses a strategic merge patch for kinds that are built into Kubernetes, and a JSON merge patch for all
 * others, including HelmReleases, whose values have no types. Throws PatchError, or the error that keeps a document
 * from being converted to JSON.
 */
export function patchBetween(original: Manifest, modified: Manifest): string | undefined {
  const [before, after] = [objectOf(original), objectOf(modified)];
  const schema = schemaOf(original);
  const patch =
    schema === undefined
      ? createTwoWayJsonMergePatch(before, after)
      : createTwoWayStrategicPatch(before, after, schema);
  return isEmptyObject(patch) ? undefined : encodeYaml(withIdentity(patch, original.content));
}

/** The patched document of a manifest. Throws like patchBetween. */
export function patchedDocument(original: Manifest, patch: Manifest): string {
  const schema = schemaOf(original);
  const [before, change] = [objectOf(original), objectOf(patch)];
  return encodeYaml(
    schema === undefined
      ? applyJsonMergePatch(before, prunedLists(change))
      : applyStrategicMergePatch(before, change, schema),
  );
}

function objectOf({ content: { json } }: Manifest): JsonObject {
  if ("error" in json) {
    throw json.error;
  }
  return isJsonObject(json.value) ? json.value : {};
}

function schemaOf({ content: { apiVersion, kind } }: Manifest): PatchSchema | undefined {
  return builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
}

/**
 * As in the Go package that Flux v1 uses, a null inside a list of a patch deletes a field as elsewhere, but a null item
 * stays.
 */
function prunedLists(value: JsonValue, isInList = false): JsonValue {
  if (isJsonArray(value)) {
    return value.map((item) => prunedLists(item, true));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept: JsonDraft = {};
  for (const [key, member] of membersOf(value)) {
    if (member !== null || !isInList) {
      setMember(kept, key, prunedLists(member, isInList));
    }
  }
  return kept;
}

/** A file contains the patches of several resources, so each one names its resource. */
function withIdentity(patch: JsonObject, { apiVersion, kind, name, namespace }: ManifestContent): JsonObject {
  const metadata: JsonValue | undefined = memberOf(patch, "metadata");
  return {
    apiVersion,
    kind,
    ...draftOf(patch),
    metadata: {
      name,
      ...(namespace === "" ? {} : { namespace }),
      ...(isJsonObject(metadata) ? draftOf(metadata) : {}),
    },
  };
}
