import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import type { UpdateSpec } from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import { RecordedLog } from "@weir/testing";
import { EventReporter } from "../../../../src/daemon/event-reporter.ts";
import { committing } from "../../../../src/daemon/jobs/committing.ts";
import { JobError } from "../../../../src/daemon/jobs/jobs.ts";
import type { EventSink } from "../../../../src/daemon/ports.ts";

const never = new AbortController().signal;
const spec: UpdateSpec = { type: "policy", cause: { message: "", user: "" }, spec: null };
const works = (): Promise<void> => Promise.resolve();

/** Runs a job with this result, and returns what is known about it afterwards. */
async function run(
  result: JobResult | Error,
  { refresh = works, eventSink }: { readonly refresh?: () => Promise<void>; readonly eventSink?: EventSink },
) {
  const clock = systemClock;
  const logger = new RecordedLog();
  const reporter = new EventReporter({ clock, logger, eventSink });
  const work = (): Promise<JobResult> =>
    result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  const ended = await committing(spec, work, { repo: { refresh }, reporter, logger, clock })(
    "job-1",
    never,
  ).catch((error: unknown) => error);
  const events = await reporter.events({ after: 0, waitMs: 0 }, never);
  return { ended, events: events.map(({ type, message }) => [type, message]), log: logger.lines.join("\n") };
}

describe("committing", () => {
  it("publishes the commit, even if the mirror can't be refreshed", async () => {
    const refresh = (): Promise<void> => Promise.reject(new Error("upstream is gone"));

    const { ended, events, log } = await run({ revision: "c0ffee" }, { refresh });

    assert.deepEqual(ended, { revision: "c0ffee" });
    assert.deepEqual(
      events.map(([type]) => type),
      ["commit"],
    );
    assert.match(log, /upstream is gone/);
  });

  it("reports nothing if there was no commit", async () => {
    assert.deepEqual((await run({}, {})).events, []);
  });

  it("keeps the result if the event can't be delivered, because the commit is pushed", async () => {
    const eventSink = (): Promise<void> => Promise.reject(new Error("no upstream"));

    const { ended } = await run({ revision: "c0ffee" }, { eventSink });

    assert.ok(ended instanceof JobError);
    assert.deepEqual([ended.result, ended.message], [{ revision: "c0ffee" }, "no upstream"]);
  });

  it("reports a failure", async () => {
    const { ended, events } = await run(new Error("no such workload"), {});

    assert.ok(ended instanceof Error);
    assert.deepEqual(events, [["failure", "job job-1 failed: no such workload"]]);
  });
});
