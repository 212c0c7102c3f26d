import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KubeApiError } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";
import { FakeClock, RecordedLog } from "@weir/testing";
import { FailureLog } from "../../../src/cache/failure-log.ts";

const lost = new ConnectionError({ server: "https://host", sent: false, reason: "refused" });

function refusal(code: number): KubeApiError {
  return new KubeApiError({ code, reason: "", message: `status ${code}` });
}

describe("FailureLog", () => {
  it("logs once why a kind is not watched, and again only after it was watched", () => {
    const log = new RecordedLog();
    const failures = new FailureLog(log, new FakeClock());

    failures.failed("v1/Node", refusal(500));
    failures.failed("v1/Node", refusal(500));
    failures.recovered("v1/Node");
    failures.recovered("v1/Node");
    failures.failed("v1/Node", refusal(500));

    assert.deepEqual(log.lines, [
      "warning=cannot watch kind kind=v1/Node err=status 500",
      "info=kind is watched again kind=v1/Node",
      "warning=cannot watch kind kind=v1/Node err=status 500",
    ]);
  });

  it("logs all forbidden kinds in one line, and each kind that is watched again", async () => {
    const log = new RecordedLog();
    const clock = new FakeClock();
    const failures = new FailureLog(log, clock);

    for (const kind of ["v1/Secret", "v1/Node", "v1/Secret", "v1/Pod"]) {
      failures.failed(kind, refusal(403));
    }
    failures.recovered("v1/Pod");
    await clock.advance(1_000);
    failures.recovered("v1/Node");
    failures.failed("apps/v1/Deployment", refusal(403));
    failures.close();

    assert.deepEqual(log.lines, [
      "warning=not allowed to watch these kinds; they are skipped kinds=v1/Node,v1/Secret err=status 403 advice=to include them, grant this account list and watch on them",
      "info=kind is watched again kind=v1/Node",
      "warning=not allowed to watch these kinds; they are skipped kinds=apps/v1/Deployment err=status 403 advice=to include them, grant this account list and watch on them",
    ]);
  });

  it("does not speak of versions that are forgotten: that is how watches are", () => {
    const log = new RecordedLog();

    new FailureLog(log, new FakeClock()).failed("v1/Pod", refusal(410));

    assert.deepEqual(log.lines, []);
  });

  it("logs an outage once for all kinds, and again after a minute", async () => {
    const log = new RecordedLog();
    const clock = new FakeClock();
    const failures = new FailureLog(log, clock);

    failures.failed("v1/Pod", lost);
    failures.failed("v1/Node", lost);
    await clock.advance(60_000);
    failures.failed("v1/Pod", lost);

    const line = "warning=cannot reach the cluster; retrying err=cannot connect to https://host: refused";
    assert.deepEqual(log.lines, [line, line]);
  });
});
