import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedLog } from "@weir/testing";
import { apiCheckup, UnavailableApis } from "../../../src/engine-adapter/unavailable-apis.ts";

const metrics = { group: "metrics.k8s.io", version: "v1beta1", reason: "no endpoints" };
const never = new AbortController().signal;

describe("unavailable APIs", () => {
  it("are logged once while they last", () => {
    const log = new RecordedLog();
    const apis = new UnavailableApis(log);

    [[metrics], [metrics], [], [metrics]].forEach((each) => apis.tell(each));

    const line =
      "warning=the cluster has an unavailable API; garbage collection skips its resources api=metrics.k8s.io/v1beta1 err=no endpoints";
    assert.deepEqual(log.lines, [line, line]);
  });

  it("are found by a check, with what that means", async () => {
    const findings = await apiCheckup({ unavailable: () => [metrics] }).look(never);

    assert.deepEqual(
      findings.map(({ subject, verdict, found }) => [subject, verdict, found]),
      [["API groups", "warning", "the cluster's API metrics.k8s.io/v1beta1 is unavailable: no endpoints"]],
    );
    assert.match(findings[0]?.advice ?? "", /aren't deleted/);
    assert.deepEqual(await apiCheckup({ unavailable: () => [] }).look(never), []);
  });
});
