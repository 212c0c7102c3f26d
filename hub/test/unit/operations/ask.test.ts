import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { unknownEndpointError } from "@weir/flux/api";
import { FakeClock } from "@weir/testing";
import {
  FatalError,
  RemoteError,
  unavailableError,
  unsupportedKindError,
  upgradeNeededError,
} from "@weir/upstream-server";
import type { ReachedDaemon } from "../../../src/daemons/ports.ts";
import { askDaemon, problemOf } from "../../../src/operations/ask.ts";
import { Problem } from "../../../src/problem/problem.ts";

const hub = { daemon: () => Promise.resolve({} as ReachedDaemon) };

describe("what a daemon is asked", () => {
  it("ends with a problem when it takes too long, and the question is aborted", async () => {
    const clock = new FakeClock();
    const asked = { hub, clock, instanceId: "i", signal: new AbortController().signal, timeLimit: 5_000 };
    let within: AbortSignal | undefined;
    const answer = askDaemon(asked, (_daemon, signal) => {
      within = signal;
      return new Promise<never>(() => undefined);
    });
    const refused = assert.rejects(answer, {
      kind: "unavailable",
      message: /did not answer within 5 seconds/,
    });
    await clock.advance(5_000);

    await refused;
    assert.equal(within?.aborted, true);
  });

  it("ends when nobody waits for it any more", async () => {
    const gone = new AbortController();
    const asked = { hub, clock: new FakeClock(), instanceId: "i", signal: gone.signal };
    const answer = askDaemon(asked, () => new Promise<never>(() => undefined));

    gone.abort(new Error("gone"));

    await assert.rejects(answer, /gone/);
  });
});

describe("an error of a daemon", () => {
  const cases: readonly (readonly [string, Error, string, RegExp])[] = [
    [
      "that isn't connected",
      unavailableError(new Error("the daemon is not connected")),
      "unavailable",
      /not connected/,
    ],
    [
      "whose answer is nonsense",
      new FatalError("reading the response to Export: no"),
      "unavailable",
      /no usable answer/,
    ],
    ["that lacks a route", unknownEndpointError("/v12/why"), "refused", /too old/],
    [
      "that lacks a method",
      new RemoteError("rpc: can't find method RPCServer.Inspect"),
      "refused",
      /too old/,
    ],
    [
      "that lacks a kind",
      unsupportedKindError("Unsupported resource kind: deployment"),
      "refused",
      /too old.*deployment/,
    ],
    [
      "that needs an upgrade",
      upgradeNeededError("NotifyChange method not implemented"),
      "refused",
      /too old/,
    ],
    [
      "that refuses",
      new FluxError("user", "git is read-only", "Help.\n"),
      "refused",
      /refused: git is read-only\./,
    ],
    ["in a line", new RemoteError("no"), "refused", /refused: no\./],
  ];
  for (const [what, error, kind, message] of cases) {
    it(`${what} is a problem that says so`, () => {
      const problem = problemOf(error);
      assert.ok(problem instanceof Problem);
      assert.equal(problem.kind, kind);
      assert.match(problem.message, message);
      assert.notEqual(problem.advice, "");
    });
  }

  it("is told without credentials, and not at any length", () => {
    const problem = problemOf(
      new FluxError("user", `git clone https://me:s3cret@git.test ${"x".repeat(5_000)}`, ""),
    );
    assert.ok(problem instanceof Problem);
    assert.equal(problem.message.includes("s3cret"), false);
    assert.ok(problem.message.length < 1_100);
  });

  it("of the console itself isn't one of the daemon", () => {
    const error = new Error("the database is gone");
    assert.equal(problemOf(error), error);
  });
});
