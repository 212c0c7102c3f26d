import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeListServicesOptions, encodeListServicesOptions } from "../../../src/api/v11.ts";
import { InvalidResourceIdError, parseResourceId } from "../../../src/resource/id.ts";

describe("the options of a list of services as JSON", () => {
  it("name workloads, both ways", () => {
    const options = { namespace: "", workloads: [parseResourceId("a:deployment/b")] };

    assert.deepEqual(encodeListServicesOptions(options), { Namespace: "", Services: ["a:deployment/b"] });
    assert.deepEqual(decodeListServicesOptions({ Namespace: "", Services: ["a:Deployment/b"] }), options);
  });

  it("have null for no workloads", () => {
    const options = { namespace: "default", workloads: [] };

    assert.deepEqual(encodeListServicesOptions(options), { Namespace: "default", Services: null });
    assert.deepEqual(decodeListServicesOptions({ namespace: "default" }), options);
  });

  it("are refused with a workload that is none", () => {
    assert.throws(() => decodeListServicesOptions({ Services: ["nothing"] }), InvalidResourceIdError);
  });
});
