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
 * The document that turns one manifest into another, with what names the resource in it; undefined where they
 * say the same. A strategic merge patch for kinds that are built into Kubernetes, a JSON merge patch for all
 * others, HelmReleases among them: their values have no types. Throws PatchError, or what keeps a document from
 * being JSON.
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

/** The document that a patch makes of a manifest. Throws as patchBetween does. */
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

/** As the Go package of Flux v1, a null below a list of a patch deletes as any other; an item that is null stays. */
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

/** Patches of several resources stand in one file: each says which resource it is for. */
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
