import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FailureLog } from "../../../../src/engine/cache/failure-log.ts";
import { KubeApiError } from "../../../../src/kube/api-status.ts";
import { ConnectionError } from "../../../../src/kube/client/transport.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { RecordedLog } from "../../../support/recorded-log.ts";

const lost = new ConnectionError("https://host", false, "refused");

function refusal(code: number): KubeApiError {
  return new KubeApiError({ code, reason: "", message: `status ${code}` });
}

describe("FailureLog", () => {
  it("tells once why a kind is not watched, until it was", () => {
    const log = new RecordedLog();
    const failures = new FailureLog(log, new FakeClock());

    failures.failed("v1/Secret", refusal(403));
    failures.failed("v1/Secret", refusal(403));
    failures.failed("v1/Node", refusal(500));
    failures.recovered("v1/Secret");
    failures.recovered("v1/Secret");
    failures.failed("v1/Secret", refusal(403));

    assert.deepEqual(log.lines, [
      "warning=kind is skipped: not allowed to watch it kind=v1/Secret err=status 403",
      "warning=cannot watch kind kind=v1/Node err=status 500",
      "info=kind is watched again kind=v1/Secret",
      "warning=kind is skipped: not allowed to watch it kind=v1/Secret err=status 403",
    ]);
  });

  it("does not speak of versions that are forgotten: that is how watches are", () => {
    const log = new RecordedLog();

    new FailureLog(log, new FakeClock()).failed("v1/Pod", refusal(410));

    assert.deepEqual(log.lines, []);
  });

  it("tells of an outage once for all kinds, and again after a minute", async () => {
    const log = new RecordedLog();
    const clock = new FakeClock();
    const failures = new FailureLog(log, clock);

    failures.failed("v1/Pod", lost);
    failures.failed("v1/Node", lost);
    await clock.advance(60_000);
    failures.failed("v1/Pod", lost);

    const line =
      "warning=lost sight of the cluster, trying again err=cannot connect to https://host: refused";
    assert.deepEqual(log.lines, [line, line]);
  });
});
