import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { afterRead, nextRead, progressFrom } from "../../../../../cmd/fluxctl/logs/next-read.ts";
import { type ContainerView, podView } from "../../../../../cmd/fluxctl/logs/pod.ts";

const alive = { isOver: false, isGone: false };

/** A container whose runs are called a, b, c …, each after another restart. */
function running(run: string): ContainerView {
  const restarts = run.charCodeAt(0) - 97;
  const previous = restarts === 0 ? undefined : String.fromCharCode(run.charCodeAt(0) - 1);
  return { name: "main", run, previous, restarts, isRunning: true, reason: "" };
}

function ended(run: string): ContainerView {
  return { ...running(run), isRunning: false, reason: "Error" };
}

/** In CrashLoopBackOff: the log is that of the last run. */
function waiting(run: string): ContainerView {
  return { ...ended(run), previous: undefined, reason: "CrashLoopBackOff" };
}

const unstarted: ContainerView = {
  name: "main",
  run: undefined,
  previous: undefined,
  restarts: 0,
  isRunning: false,
  reason: "ContainerCreating",
};

describe("the next log to read", () => {
  const after = (run: string) => ({ done: run, restarts: run.charCodeAt(0) - 97 });
  const read = (run: string, more: object = {}) => ({
    kind: "read",
    run,
    previous: false,
    hasEnded: false,
    lost: 0,
    ...more,
  });

  for (const [what, view, state, progress, step] of [
    ["is none before the start", unstarted, alive, progressFrom(unstarted), { kind: "wait" }],
    [
      "is none of a pod that never starts",
      unstarted,
      { ...alive, isOver: true },
      progressFrom(unstarted),
      { kind: "end" },
    ],
    ["is the run at the beginning", running("a"), alive, progressFrom(running("a")), read("a")],
    ["leaves out what ran before the beginning", running("c"), alive, progressFrom(running("c")), read("c")],
    [
      "is the rest of a run that has ended",
      ended("a"),
      alive,
      progressFrom(running("a")),
      read("a", { hasEnded: true }),
    ],
    [
      "is that of a waiting container's last run",
      waiting("b"),
      alive,
      after("a"),
      read("b", { hasEnded: true }),
    ],
    ["is none while it waits for a restart", waiting("b"), alive, after("b"), { kind: "wait" }],
    ["is the new run", running("b"), alive, after("a"), read("b")],
    [
      "is first the rest of the run before",
      running("b"),
      alive,
      progressFrom(running("a")),
      read("a", { previous: true, hasEnded: true }),
    ],
    [
      "is the run before even if it was never seen, with those that are lost",
      running("e"),
      alive,
      after("a"),
      read("d", { previous: true, hasEnded: true, lost: 2 }),
    ],
    ["is none after the end", ended("a"), { ...alive, isOver: true }, after("a"), { kind: "end" }],
    ["is none of a deleted pod", running("a"), { isOver: true, isGone: true }, after("a"), { kind: "end" }],
  ] as const) {
    it(what, () => {
      assert.deepEqual(nextRead(view, state, progress), step);
    });
  }

  it("is each run once, in order, if each is seen", () => {
    let progress = progressFrom(running("a"));
    const runs: string[] = [];
    for (const view of [
      running("a"),
      ended("a"),
      running("b"),
      running("c"),
      ended("c"),
      waiting("c"),
      running("d"),
    ]) {
      for (
        let step = nextRead(view, alive, progress);
        step.kind === "read";
        step = nextRead(view, alive, progress)
      ) {
        runs.push(step.run);
        if (!step.hasEnded) {
          break;
        }
        progress = afterRead(step, view);
      }
    }

    assert.deepEqual(runs, ["a", "a", "b", "b", "c", "c", "d"]);
  });
});

describe("podView", () => {
  const state = (name: string, id: string) => ({
    [name]: name === "waiting" ? { reason: id } : { containerID: id },
  });
  const pod = (status: object, phase = "Running") =>
    podView({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", namespace: "demo", uid: "u" },
      spec: { initContainers: [{ name: "init" }], containers: [{ name: "main" }] },
      status: { phase, containerStatuses: [{ name: "main", ...status }] },
    });

  for (const [what, status, expected] of [
    ["running", { state: state("running", ""), containerID: "b" }, { run: "b", previous: undefined }],
    [
      "restarted",
      { state: state("running", ""), containerID: "b", lastState: state("terminated", "a"), restartCount: 1 },
      { run: "b", previous: "a" },
    ],
    ["ended", { state: state("terminated", "a"), containerID: "a" }, { run: "a", previous: undefined }],
    [
      "ended, where the kubelet has it twice",
      { state: state("terminated", "a"), lastState: state("terminated", "a") },
      { run: "a", previous: undefined },
    ],
    [
      "waiting for a restart",
      { state: state("waiting", "CrashLoopBackOff"), lastState: state("terminated", "a") },
      { run: "a", previous: undefined },
    ],
    ["not started", { state: state("waiting", "ImagePullBackOff") }, { run: undefined, previous: undefined }],
    ["without a status", {}, { run: undefined, previous: undefined }],
  ] as const) {
    it(`knows the runs of a container that is ${what}`, () => {
      const [init, main] = pod(status).containers;

      assert.deepEqual({ run: main?.run, previous: main?.previous }, expected);
      assert.deepEqual([init?.name, init?.run], ["init", undefined]);
    });
  }

  it("is over when no container will run again", () => {
    assert.deepEqual(
      ["Pending", "Running", "Succeeded", "Failed"].map((phase) => pod({}, phase).isOver),
      [false, false, true, true],
    );
  });
});
