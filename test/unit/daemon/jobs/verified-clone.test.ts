import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openVerifiedClone } from "../../../../src/daemon/jobs/verified-clone.ts";
import type { WorkingClone } from "../../../../src/daemon/ports.ts";

const never = new AbortController().signal;

describe("a clone to commit in", () => {
  it("is removed, and not used, if its own head isn't verified", async () => {
    const clone = new ScriptedClone("b");
    const heads = {
      require: (head: string) => Promise.reject(new Error(`${head} is unsigned`)),
    };

    await assert.rejects(
      openVerifiedClone({ repo: repoWith(clone), heads }, never),
      /^Error: b is unsigned$/,
    );
    assert.equal(clone.isRemoved, true);
  });

  it("is used if its head is verified, and if commits needn't be signed", async () => {
    const clone = new ScriptedClone("b");
    const repo = repoWith(clone);

    assert.equal(
      await openVerifiedClone({ repo, heads: { require: () => Promise.resolve() } }, never),
      clone,
    );
    assert.equal(await openVerifiedClone({ repo }, never), clone);
    assert.equal(clone.isRemoved, false);
  });
});

function repoWith(clone: WorkingClone): { workingClone: () => Promise<WorkingClone> } {
  return { workingClone: () => Promise.resolve(clone) };
}

class ScriptedClone implements WorkingClone {
  readonly revealed = [];
  readonly dir = "/clone";
  readonly #head: string;
  isRemoved = false;

  constructor(head: string) {
    this.#head = head;
  }

  headRevision(): Promise<string> {
    return Promise.resolve(this.#head);
  }

  include(): Promise<void> {
    return Promise.reject(new Error("not expected"));
  }

  commitAndPush(): Promise<string> {
    return Promise.reject(new Error("not expected"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.isRemoved = true;
    return Promise.resolve();
  }
}
