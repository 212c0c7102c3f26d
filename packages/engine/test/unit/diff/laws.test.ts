import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { isEmptyObject, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import {
  applyJsonMergePatch,
  applyStrategicMergePatch,
  builtinPatchSchema,
  createThreeWayJsonMergePatch,
  createThreeWayStrategicPatch,
  createTwoWayStrategicPatch,
} from "@weir/kube/patch";
import { triples } from "@weir/testing";
import fc from "fast-check";
import { asJson } from "../../../src/diff/as-json.ts";
import { type DiffResult, diffThreeWay } from "../../../src/diff/diff.ts";
import { lastAppliedOf, withLastApplied } from "../../../src/diff/last-applied.ts";
import { isInSync } from "../../../src/diff/normalize.ts";

const runs = { numRuns: 500 };

describe("the laws of patches", () => {
  it("a diff after an apply is empty", () => {
    fc.assert(
      fc.property(triples(), ([original, wanted, changed]) => {
        const live = livingAs(changed, original);
        const applied = applyDiff(live, diff(wanted, live));

        assert.deepEqual(diff(wanted, applied), { kind: "unchanged" });
      }),
      runs,
    );
  });

  it("an object is in sync wherever the patch would be empty, and only where the patch changes nothing", () => {
    fc.assert(
      fc.property(triples(), ([original, wanted, changed]) => {
        const target = withLastApplied(wanted);
        for (const live of [
          livingAs(changed, wanted),
          livingAs(wanted, original),
          livingAs(wanted, wanted),
        ]) {
          const patch = createPatch(target, live);
          const inSync = isInSync(target, live, schemaOf(target));

          assert.ok(inSync || !isEmptyObject(patch));
          assert.ok(!inSync || isWithoutEffect(patch, live));
        }
      }),
      runs,
    );
  });

  it("what others added to a live object stays", () => {
    fc.assert(
      fc.property(triples(), ([original, wanted]) => {
        const live = livingAs(original, original);
        const status = { observed: true };
        const applied = applyDiff({ ...live, status }, diff(wanted, { ...live, status }));

        assert.deepEqual(applied.status, status);
      }),
      runs,
    );
  });

  it("a two-way patch makes one object of the other, but for the order of finalizers", () => {
    fc.assert(
      fc.property(triples(), ([original, wanted]) => {
        const schema = schemaOf(original);
        const patch = createTwoWayStrategicPatch(asJson(original), asJson(wanted), schema);

        const result = applyStrategicMergePatch(asJson(original), patch, schema);

        assert.ok(isKubeObject(result));
        assert.deepEqual(withSortedFinalizers(result), withSortedFinalizers(wanted));
      }),
      runs,
    );
  });
});

function diff(target: KubeObject, live: KubeObject): DiffResult {
  return diffThreeWay({ target, live, schema: schemaOf(target) });
}

function schemaOf(object: KubeObject): ReturnType<typeof builtinPatchSchema> {
  return builtinPatchSchema(gvkOf(object));
}

/** A patch made as kubectl makes it says nothing of the order of scalars that are wanted sorted. */
function withSortedFinalizers(object: KubeObject): KubeObject {
  const { finalizers } = object.metadata;
  return finalizers === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: finalizers.toSorted() } };
}

/** A live object with the fields of one manifest that bears the last-applied configuration of another. */
function livingAs(object: KubeObject, applied: KubeObject): KubeObject {
  const { annotations } = withLastApplied(applied).metadata;
  const metadata = {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, ...annotations },
    uid: "1",
  };
  return { ...object, metadata };
}

/** The patch that kubectl sends, empty or not. */
function createPatch(target: KubeObject, live: KubeObject): JsonObject {
  const objects = { original: lastAppliedOf(live), modified: asJson(target), current: asJson(live) };
  const schema = schemaOf(target);
  return schema === undefined
    ? createThreeWayJsonMergePatch(objects)
    : createThreeWayStrategicPatch(objects, schema);
}

/** True where the patch leaves all as it is, but for lists without items, which no API server keeps. */
function isWithoutEffect(patch: JsonObject, live: KubeObject): boolean {
  const schema = schemaOf(live);
  const after =
    schema === undefined
      ? applyJsonMergePatch(asJson(live), patch)
      : applyStrategicMergePatch(asJson(live), patch, schema);
  return isDeepStrictEqual(withoutEmptyLists(after), withoutEmptyLists(asJson(live)));
}

function withoutEmptyLists(value: JsonValue): unknown {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    Array.isArray(member) && member.length === 0 ? undefined : member,
  );
}

function applyDiff(live: KubeObject, result: DiffResult): KubeObject {
  if (result.kind === "unchanged") {
    return live;
  }
  const applied =
    result.patchType === "application/merge-patch+json"
      ? applyJsonMergePatch(asJson(live), result.patch)
      : applyStrategicMergePatch(asJson(live), result.patch, schemaOf(live));
  assert.ok(isKubeObject(applied));
  return applied;
}

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && isJsonObject(value["metadata"]);
}
