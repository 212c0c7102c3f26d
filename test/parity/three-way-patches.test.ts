import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { groupOf, versionOf } from "@weir/kube";
import {
  applyJsonMergePatch,
  applyStrategicMergePatch,
  builtinPatchSchema,
  createThreeWayJsonMergePatch,
  createThreeWayStrategicPatch,
  jsonMergePatchType,
} from "@weir/kube/patch";
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
