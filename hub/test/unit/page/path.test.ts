import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { workloadAt } from "../../../page/state/addresses.ts";
import { matchPath, pathOf } from "../../../page/state/path.ts";

const pattern = "/instances/:instance/workloads/:workload";

describe("a path", () => {
  it("says what its pattern names", () => {
    assert.deepEqual(matchPath("/", "/"), {});
    assert.deepEqual(matchPath("/jobs/:job", "/jobs/7/"), { job: "7" });
    assert.equal(matchPath("/jobs/:job", "/jobs"), undefined);
    assert.equal(matchPath("/jobs/:job", "/jobs/"), undefined);
    assert.equal(matchPath("/jobs/:job", "/jobs/7/plan"), undefined);
    assert.equal(matchPath("/jobs/:job", "/events/7"), undefined);
  });

  it("is unescaped exactly once, so that names with any characters survive", () => {
    for (const workload of ["default:deployment/hello", "a%2Fb", "50%", "<img src=x>", "ü/漢", "a b+c"]) {
      const values = { instance: "i", workload };

      assert.deepEqual(matchPath(pattern, pathOf(pattern, values)), values);
    }
  });

  it("matches nothing if it isn't escaped properly", () => {
    assert.equal(matchPath("/jobs/:job", "/jobs/%E0%A4%A"), undefined);
  });

  it("leads to a part of a workload", () => {
    const address = { instance: "eu", workload: "shop:deployment/web" };

    assert.equal(workloadAt(address), "/instances/eu/workloads/shop%3Adeployment%2Fweb");
    assert.equal(workloadAt(address, "diff"), "/instances/eu/workloads/shop%3Adeployment%2Fweb/diff");
  });
});
