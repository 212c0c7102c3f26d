import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LastSyncReport } from "@weir/flux/api";
import { Narration, type Sources } from "../../../../../cmd/weir/demo/narration/narration.ts";

const { signal } = new AbortController();

const quiet: LastSyncReport = {
  revision: "",
  endedAt: undefined,
  failure: "",
  errors: [],
  isRunning: false,
  waitingFor: [],
};

/** A branch to which commits are pushed; nothing else happens. */
class QuietDemo {
  readonly commits = ["0"];
  fluxdAnswers = true;
  /** Pushed as soon as somebody has read the head. */
  pushedMeanwhile: string | undefined;

  narration(): Promise<Narration> {
    return Narration.start(this.#sources(), signal);
  }

  #sources(): Sources {
    return {
      api: {
        events: () =>
          this.fluxdAnswers ? Promise.resolve([]) : Promise.reject(new Error("connection refused")),
        lastSync: () => Promise.resolve(quiet),
      },
      repository: {
        head: () => this.#readHead(),
        commitsBetween: (from, to) =>
          this.commits
            .slice(this.commits.indexOf(from) + 1, this.commits.indexOf(to) + 1)
            .map((revision) => ({ revision, author: "You", subject: `Change ${revision}` })),
        isSynced: () => true,
      },
      cluster: { look: () => Promise.resolve([]) },
    };
  }

  #readHead(): string {
    const head = this.commits.at(-1) ?? "";
    if (this.pushedMeanwhile !== undefined) {
      this.commits.push(this.pushedMeanwhile);
      this.pushedMeanwhile = undefined;
    }
    return head;
  }
}

async function told(narration: Narration): Promise<readonly string[]> {
  return (await narration.look(signal)).told.map(({ text }) => text);
}

describe("what the demo tells while it stays up", () => {
  it("has each commit once, also one that's pushed while it looks", async () => {
    const demo = new QuietDemo();
    const narration = await demo.narration();

    demo.commits.push("1");
    demo.pushedMeanwhile = "2";
    assert.deepEqual(await told(narration), ["You pushed 1: Change 1"]);
    assert.deepEqual(await told(narration), ["You pushed 2: Change 2"]);
    assert.deepEqual(await told(narration), []);
  });

  it("has commits that were pushed while fluxd didn't answer", async () => {
    const demo = new QuietDemo();
    const narration = await demo.narration();

    demo.commits.push("1");
    demo.fluxdAnswers = false;
    await assert.rejects(told(narration), /connection refused/);
    demo.fluxdAnswers = true;
    assert.deepEqual(await told(narration), ["You pushed 1: Change 1"]);
  });
});
