import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isWorkloadId } from "../../../page/text/workload-id.ts";

describe("the ID of a resource", () => {
  for (const [id, expected] of [
    ["default:deployment/helloworld", true],
    ["default:HelmRelease/helloworld", true],
    ["default:cronjob/deployment/x", true],
    ["default:service/deployment", false],
    ["<cluster>:namespace/deployment", false],
    ["deployment/helloworld", false],
    ["", false],
  ] as const) {
    it(`is ${expected ? "" : "not "}a workload's: "${id}"`, () => {
      assert.equal(isWorkloadId(id), expected);
    });
  }
});
