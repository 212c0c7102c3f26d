import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError, OvertakenError, parseResourceId } from "@weir/flux";
import { RecordedLog } from "@weir/testing";
import { JobError } from "../../../../src/daemon/jobs/jobs.ts";
import { type Attempt, type RetryGuard, retryOvertaken } from "../../../../src/daemon/jobs/push-retries.ts";

const workload = parseResourceId("default:deployment/w");
const other = parseResourceId("default:deployment/other");

function overtaken(n: number): OvertakenError {
  return OvertakenError.of(new FluxError("user", `push ${n} was refused`, "help"));
}

/** A branch that somebody moves before each refresh; `stuck` if nobody does. */
class Upstream {
  readonly log = new RecordedLog();
  refreshes = 0;
  attempts = 0;
  guards: RetryGuard[] = [];
  stuck = false;
  gone = false;

  branchHead(): Promise<string> {
    return Promise.resolve(`head-${this.stuck ? 0 : this.refreshes}`);
  }

  refresh(): Promise<void> {
    this.refreshes += 1;
    return this.gone ? Promise.reject(new Error("upstream is gone")) : Promise.resolve();
  }

  run(pushRetries: number, attempt: Attempt): ReturnType<Attempt> {
    const counted: Attempt = (guard) => {
      this.attempts += 1;
      return attempt(guard);
    };
    const deps = { settings: { pushRetries }, repo: this, logger: this.log };
    return retryOvertaken("job", counted, deps, AbortSignal.timeout(10_000));
  }

  /** A push that loses a number of races. */
  losing(races: number): Attempt {
    return () =>
      this.attempts <= races
        ? Promise.reject(new JobError({}, overtaken(this.attempts)))
        : Promise.resolve({ revision: "r" });
  }
}

describe("a change whose push was overtaken", () => {
  it("is not made again without the flag", async () => {
    const upstream = new Upstream();

    await assert.rejects(upstream.run(0, upstream.losing(1)), /^JobError: push 1 was refused$/);

    assert.deepEqual([upstream.attempts, upstream.refreshes], [1, 0]);
  });

  it("is made again on the new head until it's pushed, and tells how often", async () => {
    const upstream = new Upstream();

    assert.deepEqual(await upstream.run(3, upstream.losing(2)), { revision: "r", pushRetries: 2 });

    assert.deepEqual(upstream.log.lines, [
      "jobID=job msg=somebody else pushed first; making the change again on the new head head=head-1 retry=1 of=3",
      "jobID=job msg=somebody else pushed first; making the change again on the new head head=head-2 retry=2 of=3",
    ]);
  });

  it("fails with the last error after all retries", async () => {
    const upstream = new Upstream();

    await assert.rejects(upstream.run(2, upstream.losing(9)), /push 3 was refused/);

    assert.equal(upstream.attempts, 3);
  });

  it("isn't made again if nobody moved the branch", async () => {
    const upstream = new Upstream();
    upstream.stuck = true;

    await assert.rejects(upstream.run(9, upstream.losing(9)), /push 1 was refused/);

    assert.deepEqual([upstream.attempts, upstream.refreshes], [1, 1]);
  });

  it("isn't made again if the new head can't be fetched", async () => {
    const upstream = new Upstream();
    upstream.gone = true;

    await assert.rejects(upstream.run(9, upstream.losing(9)), /push 1 was refused/);

    assert.deepEqual(upstream.log.lines, ["err=upstream is gone"]);
  });

  it("isn't made again if the job is aborted meanwhile", async () => {
    const upstream = new Upstream();
    const job = new AbortController();
    const refresh = (signal: AbortSignal): Promise<void> => {
      job.abort(new Error("time is up"));
      return Promise.reject(signal.reason as Error);
    };
    const deps = {
      settings: { pushRetries: 9 },
      repo: { refresh, branchHead: () => upstream.branchHead() },
      logger: upstream.log,
    };
    const attempt: Attempt = () => {
      upstream.attempts += 1;
      return Promise.reject(overtaken(upstream.attempts));
    };

    await assert.rejects(retryOvertaken("job", attempt, deps, job.signal), /push 1 was refused/);

    assert.equal(upstream.attempts, 1);
    assert.deepEqual(upstream.log.lines, ["err=time is up"]);
  });

  it("needn't end with a commit", async () => {
    const upstream = new Upstream();
    const attempt: Attempt = () =>
      upstream.attempts === 1 ? Promise.reject(overtaken(1)) : Promise.resolve({ result: new Map() });

    assert.deepEqual(await upstream.run(1, attempt), { result: new Map() });
  });
});

describe("any other failure", () => {
  it("ends the job", async () => {
    const upstream = new Upstream();
    const refused = new FluxError("user", "hook declined", "help");

    await assert.rejects(
      upstream.run(5, () => Promise.reject(refused)),
      refused,
    );

    assert.deepEqual([upstream.attempts, upstream.refreshes], [1, 0]);
  });
});

describe("on the new head", () => {
  const attemptWith =
    (upstream: Upstream, ...bases: readonly ReadonlyMap<typeof workload, string>[]): Attempt =>
    (guard) => {
      guard.check(bases[upstream.attempts - 1] ?? new Map());
      return upstream.losing(bases.length - 1)(guard);
    };

  it("the same change is made", async () => {
    const upstream = new Upstream();
    const basis = new Map([[workload, "a"]]);

    const result = await upstream.run(1, attemptWith(upstream, basis, new Map(basis)));

    assert.equal(result.revision, "r");
  });

  it("fewer changes are made", async () => {
    const upstream = new Upstream();
    const both = new Map([
      [workload, "a"],
      [other, "b"],
    ]);

    const result = await upstream.run(2, attemptWith(upstream, both, new Map([[other, "b"]]), both));

    assert.equal(result.revision, "r");
  });

  for (const [what, basis] of Object.entries({
    "a change to what somebody else changed": new Map([[workload, "changed"]]),
    "a change that the first attempt didn't make": new Map([
      [workload, "a"],
      [other, "b"],
    ]),
  })) {
    it(`${what} isn't made`, async () => {
      const upstream = new Upstream();
      const attempt = attemptWith(upstream, new Map([[workload, "a"]]), basis, new Map());

      await assert.rejects(upstream.run(5, attempt), (error) => {
        assert.ok(error instanceof FluxError);
        assert.match(error.message, /^not pushed again: default:deployment\/\w+ was changed on the branch/);
        return true;
      });
      assert.equal(upstream.attempts, 2);
    });
  }

  it("nothing is looked up for that without the flag", async () => {
    const upstream = new Upstream();

    await upstream.run(0, (guard) => {
      assert.equal(guard.isNeeded, false);
      return Promise.resolve({});
    });
  });
});
