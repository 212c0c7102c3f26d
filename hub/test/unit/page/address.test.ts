import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressOf } from "../../../page/api/address.ts";

describe("the address of a call", () => {
  it("has its parameters escaped in the path", () => {
    assert.equal(
      addressOf("workload", { params: { instance: "eu", workload: "a:b/c?d#e%" } }),
      "/api/console/v1/instances/eu/workloads/a%3Ab%2Fc%3Fd%23e%25",
    );
  });

  it("repeats lists, and leaves out what is empty", () => {
    const query = { q: "", limit: 50, cursor: undefined, instance: ["a", "b&c"], kind: [] };

    assert.equal(
      addressOf("workloads", { query }),
      "/api/console/v1/workloads?limit=50&instance=a&instance=b%26c",
    );
  });
});
