import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeListServicesOptions } from "../../../src/api/v11.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

describe("the options of a list of services as JSON", () => {
  it("name workloads", () => {
    const options = { namespace: "", workloads: [parseResourceId("a:deployment/b")] };

    assert.deepEqual(encodeListServicesOptions(options), { Namespace: "", Services: ["a:deployment/b"] });
  });

  it("have null for no workloads", () => {
    const options = { namespace: "default", workloads: [] };

    assert.deepEqual(encodeListServicesOptions(options), { Namespace: "default", Services: null });
  });
});
