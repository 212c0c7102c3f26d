import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "../../src/base/json.ts";
import { groupOf, versionOf } from "../../src/kube/gvk.ts";
import { builtinPatchSchema } from "../../src/kube/patch/builtin-schemas.ts";
import { applyJsonMergePatch } from "../../src/kube/patch/json-merge.ts";
import { jsonMergePatchType } from "../../src/kube/patch/patch-type.ts";
import { applyStrategicMergePatch } from "../../src/kube/patch/strategic-merge.ts";
import { createThreeWayJsonMergePatch } from "../../src/kube/patch/three-way-json-merge.ts";
import { createThreeWayStrategicPatch } from "../../src/kube/patch/three-way-strategic.ts";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly original: JsonObject | null;
  readonly modified: JsonObject;
  readonly current: JsonObject;
  readonly patchType: string;
  readonly patch: JsonObject;
  readonly result: JsonObject;
}

describe("three-way patches, as kubectl apply computes them", () => {
  for (const line of readTable("golden/three-way-patches.jsonl") as readonly Line[]) {
    it(`${line.id}: ${line.kind}`, () => {
      const { original, modified, current } = line;
      const schema = schemaOf(line);

      if (line.patchType === jsonMergePatchType) {
        const patch = createThreeWayJsonMergePatch({ original, modified, current });

        assert.equal(schema, undefined);
        assert.deepEqual(patch, line.patch);
        assert.deepEqual(applyJsonMergePatch(current, patch), line.result);
      } else {
        const patch = createThreeWayStrategicPatch({ original, modified, current }, schema);

        assert.notEqual(schema, undefined);
        assert.deepEqual(patch, line.patch);
        assert.deepEqual(applyStrategicMergePatch(current, patch, schema), line.result);
      }
    });
  }
});

function schemaOf({ apiVersion, kind }: Line): ReturnType<typeof builtinPatchSchema> {
  return builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
}
