import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Health, type HealthStatus, health } from "../../../src/health/health-status.ts";
import { type SyncPlan, tasksOf } from "../../../src/plan/plan.ts";
import { isDeletion, isWork, type SyncTask } from "../../../src/plan/task.ts";
import type { Conditions, HealthOf, TaskOutcome } from "../../../src/run/outcome.ts";
import { nextStep, type Step } from "../../../src/run/step.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const config = thing("v1 ConfigMap", "demo/config");
const web = thing("apps/v1 Deployment", "demo/web");
const later = thing("apps/v1 Deployment", "demo/later", said({ "sync-wave": "1" }));
const before = thing("batch/v1 Job", "demo/before", said({ hook: "PreSync" }));
const after = thing("batch/v1 Job", "demo/after", said({ hook: "PostSync" }));
const rescue = thing("batch/v1 Job", "demo/rescue", said({ hook: "SyncFail" }));

/** What came of tasks, by the names of their objects. */
function outcomesOf(plan: SyncPlan, byName: Readonly<Record<string, TaskOutcome["kind"]>>) {
  return new Map<string, TaskOutcome>(
    tasksOf(plan).flatMap((task) => {
      const kind = byName[task.key.name];
      return kind === undefined
        ? []
        : [[task.id, kind === "failed" ? { kind, error: "no", at: 0 } : { kind, at: 0 }]];
    }),
  );
}

/** A step in a line, e.g. "act web config". */
function print(step: Step): string {
  switch (step.kind) {
    case "act":
    case "wait":
      return [step.kind, ...step.tasks.map(({ key }) => key.name)].join(" ");
    case "settle":
      return [step.kind, ...step.settled.map(([{ key }, { kind }]) => `${key.name}:${kind}`)].join(" ");
    case "end":
      return `end ${step.failed ? "failed" : "succeeded"}`;
  }
}

function stepOf(
  targets: readonly ReturnType<typeof thing>[],
  outcomes: Readonly<Record<string, TaskOutcome["kind"]>> = {},
  healths: Readonly<Record<string, HealthStatus>> = {},
  live: readonly ReturnType<typeof thing>[] = [],
): string {
  const plan = planOf({ targets, live });
  const healthOf: HealthOf = ({ key }) => {
    const status = healths[key.name];
    return status === undefined ? undefined : health(status);
  };
  return print(nextStep(plan, outcomesOf(plan, outcomes), at(0, healthOf)));
}

/** The conditions at a time, in milliseconds; a wave may take a minute. */
function at(now: number, healthOf: HealthOf): Conditions {
  return { healthOf, now, since: 0, waitMs: 60_000 };
}

describe("nextStep without waves and hooks", () => {
  it("begins with the first stage", () => {
    assert.equal(stepOf([web, config]), "act config");
  });

  it("continues with the next stage when the first is done", () => {
    assert.equal(stepOf([web, config], { config: "applied" }), "act web");
  });

  it("continues with the next stage even if a task failed", () => {
    assert.equal(stepOf([web, config], { config: "failed" }), "act web");
  });

  it("ends without waiting for health", () => {
    assert.equal(stepOf([web], { web: "applied" }, { web: "Progressing" }), "end succeeded");
  });

  it("fails at the end if a task failed", () => {
    assert.equal(stepOf([web, config], { config: "failed", web: "applied" }), "end failed");
  });

  it("ends immediately if there is nothing to do", () => {
    assert.equal(stepOf([web], {}, { web: "Degraded" }, [web]), "end succeeded");
    assert.equal(stepOf([]), "end succeeded");
  });
});

describe("nextStep with objects to prune in waves", () => {
  const first = thing("v1 ConfigMap", "demo/first", { uid: "1", ...said({ "sync-wave": "1" }) });
  const second = thing("v1 ConfigMap", "demo/second", { uid: "2", ...said({ "sync-wave": "0" }) });
  const gone = said({ "sync-wave": "1" });
  const going = thing("v1 ConfigMap", "demo/going", {
    uid: "3",
    deletionTimestamp: "2024-01-01T00:00:00Z",
    ...gone,
  });

  function printNext(
    managed: readonly ReturnType<typeof thing>[],
    outcomes: Readonly<Record<string, TaskOutcome["kind"]>>,
    {
      healths = {},
      now = 0,
    }: { readonly healths?: Readonly<Record<string, Health>>; readonly now?: number } = {},
  ): string {
    const plan = planOf({ targets: [config], live: [config], managed, options: { pruneLast: false } });
    return print(
      nextStep(
        plan,
        outcomesOf(plan, outcomes),
        at(now, ({ key }) => healths[key.name]),
      ),
    );
  }

  it("prunes the next wave when the objects of the one before are gone", () => {
    const managed = [first, second];
    const isGoing = { first: health("Progressing"), config: health("Healthy") };
    const isGone = { first: health("Missing"), config: health("Healthy") };

    assert.equal(printNext(managed, {}), "act first");
    assert.equal(
      printNext(managed, { first: "applied", config: "settled" }, { healths: isGoing }),
      "wait first",
    );
    assert.equal(
      printNext(managed, { first: "applied", config: "settled" }, { healths: isGone }),
      "settle first:settled",
    );
    assert.equal(printNext(managed, { first: "settled", config: "settled" }), "act second");
  });

  it("waits for an object that was already being deleted", () => {
    const healths = { going: health("Progressing"), config: health("Healthy") };

    assert.equal(printNext([going, second], { config: "settled" }, { healths }), "wait going");
    assert.equal(printNext([going, second], { config: "settled", going: "settled" }), "act second");
  });

  it("does not wait after the last wave", () => {
    const healths = { second: health("Progressing") };

    assert.equal(printNext([second], { second: "applied" }, { healths }), "end succeeded");
    assert.equal(printNext([going], {}, { healths: { going: health("Progressing") } }), "end succeeded");
  });

  it("fails when the time is up, and prunes nothing more", () => {
    const healths = { first: health("Progressing", "it has the finalizer a/b"), config: health("Healthy") };
    const plan = planOf({
      targets: [config],
      live: [config],
      managed: [first, second],
      options: { pruneLast: false },
    });
    const outcomes = outcomesOf(plan, { first: "applied", config: "settled" });

    const step = nextStep(
      plan,
      outcomes,
      at(60_000, ({ key }) => (key.name === "first" ? healths.first : undefined)),
    );

    assert.deepEqual(
      step.kind === "settle" && step.settled.map(([{ key }, outcome]) => [key.name, outcome]),
      [
        [
          "first",
          {
            kind: "failed",
            error: "it was not gone within 60 s after its deletion: it has the finalizer a/b",
            at: 60_000,
          },
        ],
      ],
    );
    assert.equal(printNext([first, second], { first: "failed", config: "settled" }), "end failed");
  });
});

describe("nextStep with waves", () => {
  it("waits until a wave is healthy before the next begins", () => {
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Progressing" }), "wait web");
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Healthy" }), "settle web:settled");
    assert.equal(stepOf([web, later], { web: "settled" }, { web: "Progressing" }), "act later");
  });

  it("waits for objects to become healthy, but not for objects without health", () => {
    assert.equal(
      stepOf([config, web, later], { config: "applied", web: "applied" }, { web: "Progressing" }),
      "settle config:settled",
    );
  });

  it("waits for unchanged objects of a wave before too", () => {
    assert.equal(stepOf([web, later], {}, { web: "Progressing" }, [web]), "wait web");
  });

  it("does not wait if nothing is left to do after the wave", () => {
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Progressing" }, [later]), "end succeeded");
  });

  it("treats suspended objects as done", () => {
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Suspended" }), "settle web:settled");
  });

  it("fails tasks whose objects degrade or disappear, and holds back the next wave", () => {
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Degraded" }), "settle web:failed");
    assert.equal(stepOf([web, later], { web: "applied" }, { web: "Missing" }), "settle web:failed");
    assert.equal(stepOf([web, later], { web: "failed" }), "end failed");
  });

  it("does not wait for the rest of a wave in which something failed", () => {
    assert.equal(
      stepOf([config, web, later], { config: "failed", web: "applied" }, { web: "Progressing" }),
      "end failed",
    );
  });
});

describe("nextStep with hooks", () => {
  it("runs the hooks of PreSync before anything else", () => {
    assert.equal(stepOf([before, config, after]), "act before");
  });

  it("waits for a hook to finish, even if nothing follows", () => {
    const done = { before: "settled", config: "settled", after: "applied" } as const;

    assert.equal(stepOf([before, config], { before: "applied" }, { before: "Progressing" }), "wait before");
    assert.equal(stepOf([before, config, after], done, { after: "Suspended" }), "wait after");
    assert.equal(stepOf([before, config, after], done, { after: "Healthy" }), "settle after:settled");
  });

  it("applies nothing if an earlier hook failed", () => {
    assert.equal(
      stepOf([before, config], { before: "applied" }, { before: "Degraded" }),
      "settle before:failed",
    );
    assert.equal(stepOf([before, config], { before: "failed" }), "end failed");
  });

  it("waits for the objects to be healthy before the hooks of PostSync", () => {
    assert.equal(stepOf([web, after], { web: "applied" }, { web: "Progressing" }), "wait web");
  });

  it("runs SyncFail hooks only if a task failed, and waits for them", () => {
    assert.equal(stepOf([config, rescue], { config: "applied" }), "end succeeded");
    assert.equal(stepOf([config, rescue], { config: "failed" }), "act rescue");
    assert.equal(
      stepOf([config, rescue], { config: "failed", rescue: "applied" }, { rescue: "Progressing" }),
      "wait rescue",
    );
    assert.equal(stepOf([config, rescue], { config: "failed", rescue: "settled" }), "end failed");
  });
});

describe("nextStep and time", () => {
  const slow = thing("batch/v1 Job", "demo/slow", said({ hook: "PreSync", "hook-timeout": "90s" }));
  const isProgressing: HealthOf = () => health("Progressing", "0 of 1");

  function stepAt(
    now: number,
    targets: readonly ReturnType<typeof thing>[],
    outcomes: Readonly<Record<string, TaskOutcome>>,
    healthOf = isProgressing,
  ): Step {
    const plan = planOf({ targets, options: { hooks: "always" } });
    const byId = tasksOf(plan).flatMap(({ id, key }) => {
      const outcome = outcomes[key.name];
      return outcome === undefined ? [] : [[id, outcome] as const];
    });
    return nextStep(plan, new Map(byId), at(now, healthOf));
  }

  /** The step in a line, with the time until which it waits, or the errors that it found. */
  function told(step: Step): string {
    const errors =
      step.kind === "settle"
        ? step.settled.map(([, outcome]) => ("error" in outcome ? outcome.error : ""))
        : [];
    return [print(step), ...(step.kind === "wait" ? [`until ${step.until}`] : errors)].join(" ");
  }

  it("waits for a wave up to the time limit, counted from its last change", () => {
    const outcomes = { web: { kind: "applied", at: 10_000 } } as const;

    assert.equal(told(stepAt(20_000, [web, later], outcomes)), "wait web until 70000");
    assert.equal(
      told(stepAt(70_000, [web, later], outcomes)),
      "settle web:failed not healthy within 60 s: 0 of 1",
    );
  });

  it("gives a wave its time after an earlier wave has taken long", () => {
    const outcomes = {
      before: { kind: "settled", at: 500_000 },
      web: { kind: "applied", at: 400_000 },
    } as const;

    assert.equal(told(stepAt(510_000, [before, web, later], outcomes)), "wait web until 560000");
  });

  it("waits for a hook up to its own time limit, and an hour without one", () => {
    const outcomes = {
      slow: { kind: "applied", at: 10_000 },
      before: { kind: "applied", at: 10_000 },
    } as const;

    assert.equal(told(stepAt(99_999, [slow], outcomes)), "wait slow until 100000");
    assert.equal(
      told(stepAt(100_000, [slow], outcomes)),
      "settle slow:failed the hook did not finish within 90 s: 0 of 1",
    );
    assert.equal(told(stepAt(100_000, [before], outcomes)), "wait before until 3610000");
  });

  it("counts a hook that has finished, however late it is seen", () => {
    const outcomes = { slow: { kind: "applied", at: 0 } } as const;

    assert.equal(print(stepAt(9_000_000, [slow], outcomes, () => health("Healthy"))), "settle slow:settled");
  });

  it("creates a hook only after the object of an earlier run is gone, within the time limit", () => {
    const outcomes = { slow: { kind: "clearing", at: 10_000 } } as const;

    assert.equal(told(stepAt(69_999, [slow, config], outcomes)), "wait slow until 70000");
    assert.equal(print(stepAt(20_000, [slow, config], outcomes, () => health("Missing"))), "act slow");
    assert.equal(
      told(stepAt(70_000, [slow, config], outcomes)),
      "settle slow:failed the hook object of the previous run was not deleted within 60 s: 0 of 1",
    );
  });

  it("looks for a hook that was started before a restart", () => {
    assert.equal(print(stepAt(0, [before, config], { before: { kind: "started", at: 0 } })), "act before");
  });

  it("does not wait again for a wave that a later one has followed", () => {
    const outcomes = { web: { kind: "applied", at: 0 }, after: { kind: "applied", at: 0 } } as const;

    assert.equal(print(stepAt(0, [web, after], outcomes)), "wait after");
  });

  it("remembers a failure whose task isn't planned anymore", () => {
    const failed = new Map<string, TaskOutcome>([
      ["/ConfigMap/demo/old", { kind: "failed", error: "no", at: 0 }],
    ]);

    const step = nextStep(planOf({ targets: [config, rescue] }), failed, at(0, isProgressing));

    assert.equal(print(step), "act rescue");
  });
});

/** Plans of up to a dozen objects with any waves and hooks, part of them live already, and some orphans. */
const plans = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"),
      type: fc.constantFrom("v1 Namespace", "v1 ConfigMap", "apps/v1 Deployment", "example.test/v1 Widget"),
      wave: fc.integer({ min: -2, max: 2 }),
      hook: fc.constantFrom("", "", "PreSync", "Sync", "PostSync", "SyncFail", "PreSync,SyncFail"),
      role: fc.constantFrom("new", "changed", "unchanged", "orphan"),
    }),
    { selector: ({ name }) => name, maxLength: 12 },
  )
  .chain((items) => fc.record({ items: fc.constant(items), pruneLast: fc.boolean(), always: fc.boolean() }))
  .map(({ items, pruneLast, always }) => {
    const objects = items.map((item) => {
      const hook = item.hook === "" ? {} : { hook: item.hook };
      return {
        ...item,
        object: thing(item.type, item.name, said({ "sync-wave": String(item.wave), ...hook })),
      };
    });
    const of = (...roles: readonly string[]) =>
      objects.filter(({ role }) => roles.includes(role)).map(({ object }) => object);
    return planOf({
      targets: of("new", "changed", "unchanged"),
      live: of("changed", "unchanged"),
      changed: objects.filter(({ role }) => role === "changed").map(({ name }) => name),
      managed: of("orphan"),
      options: { pruneLast, hooks: always ? "always" : "when-changed" },
    });
  });

const statuses = fc.constantFrom<(HealthStatus | undefined)[]>(
  undefined,
  "Healthy",
  "Suspended",
  "Progressing",
  "Missing",
  "Degraded",
  "Unknown",
);

/** Plays a sync against a world that answers and changes at random; tells what was done, in order. */
function play(
  plan: SyncPlan,
  chance: fc.GeneratorValue,
): { acted: SyncTask[]; last: Step; outcomes: Map<string, TaskOutcome> } {
  const outcomes = new Map<string, TaskOutcome>();
  const acted: SyncTask[] = [];
  const waits = new Map<string, number>();
  const healthOf = (task: SyncTask): Health | undefined => {
    const looks = (waits.get(task.id) ?? 0) + 1;
    waits.set(task.id, looks);
    // Every wait ends at some point: here, after a few looks.
    const end = isDeletion(task) ? "Missing" : "Degraded";
    const status = looks > 3 ? end : chance(() => statuses);
    return status === undefined ? undefined : health(status);
  };
  const most = 10 * tasksOf(plan).length + 10;
  for (let steps = 0; steps < most; steps += 1) {
    const step = nextStep(plan, outcomes, at(0, healthOf));
    if (step.kind === "end") {
      return { acted, last: step, outcomes };
    }
    for (const task of step.kind === "act" ? step.tasks : []) {
      acted.push(task);
      outcomes.set(
        task.id,
        chance(fc.boolean) ? { kind: "applied", at: 0 } : { kind: "failed", error: "no", at: 0 },
      );
    }
    for (const [task, outcome] of step.kind === "settle" ? step.settled : []) {
      outcomes.set(task.id, outcome);
    }
  }
  assert.fail(`no end after ${most} steps`);
}

describe("nextStep in any world", () => {
  it("always comes to an end, and does each task at most once", () => {
    fc.assert(
      fc.property(plans, fc.gen(), (plan, chance) => {
        const { acted } = play(plan, chance);

        assert.equal(new Set(acted.map(({ id }) => id)).size, acted.length);
      }),
    );
  });

  it("does tasks in the order of the plan", () => {
    fc.assert(
      fc.property(plans, fc.gen(), (plan, chance) => {
        const order = tasksOf(plan).map(({ id }) => id);
        const places = play(plan, chance).acted.map(({ id }) => order.indexOf(id));

        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("does everything but the hooks for failures where nothing fails, and ends failed where something does", () => {
    fc.assert(
      fc.property(plans, fc.gen(), (plan, chance) => {
        const { acted, last, outcomes } = play(plan, chance);
        const hasFailed = [...outcomes.values()].some(({ kind }) => kind === "failed");
        const due = tasksOf(plan).filter((task) => isWork(task) && task.phase !== "SyncFail");

        assert.deepEqual(last, { kind: "end", failed: hasFailed });
        assert.ok(hasFailed || acted.length === due.length);
      }),
    );
  });

  it("begins no wave after one that failed, but for the hooks for failures", () => {
    fc.assert(
      fc.property(plans, fc.gen(), (plan, chance) => {
        const { acted, outcomes } = play(plan, chance);
        const waveOf = ({ phase, wave }: SyncTask): string => `${phase} ${wave}`;
        const regular = acted.filter(({ phase }) => phase !== "SyncFail");
        const failed = regular.find(({ id }) => outcomes.get(id)?.kind === "failed");
        const rest = failed === undefined ? [] : regular.slice(regular.indexOf(failed));

        assert.ok(rest.every((task) => failed !== undefined && waveOf(task) === waveOf(failed)));
      }),
    );
  });
});
