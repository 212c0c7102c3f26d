import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeListImagesOptions, encodeListImagesOptions, WorkloadSpecError } from "../../../src/api/v10.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

describe("the options of a list of images as JSON", () => {
  it("name a workload and fields, both ways", () => {
    const options = { workload: parseResourceId("a:deployment/b"), namespace: "", fields: ["Name"] };
    const json = { Spec: "a:deployment/b", OverrideContainerFields: ["Name"], Namespace: "" };

    assert.deepEqual(encodeListImagesOptions(options), json);
    assert.deepEqual(decodeListImagesOptions(json), options);
  });

  it("have null for all fields", () => {
    const options = { workload: "<all>", namespace: "a", fields: [] } as const;

    assert.deepEqual(encodeListImagesOptions(options), {
      Spec: "<all>",
      OverrideContainerFields: null,
      Namespace: "a",
    });
    assert.deepEqual(decodeListImagesOptions({ spec: "<all>", namespace: "a" }), options);
  });

  it("are refused without a workload that is one", () => {
    assert.throws(() => decodeListImagesOptions({ Spec: "nothing" }), WorkloadSpecError);
    assert.throws(() => decodeListImagesOptions({}), WorkloadSpecError);
  });
});
