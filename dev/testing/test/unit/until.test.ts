import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HopelessError, until } from "../../src/until.ts";

describe("waiting for a condition", () => {
  it("goes on after an error, until there is an answer", async () => {
    let asked = 0;

    const answer = await until("the third answer", () => {
      asked += 1;
      if (asked === 1) {
        throw new Error("not yet");
      }
      return asked === 3 && asked;
    });

    assert.equal(answer, 3);
  });

  it("ends at once where there is no hope", async () => {
    const hopeless = new HopelessError("etcd has ended");

    await assert.rejects(
      until("the API server", () => Promise.reject(hopeless)),
      hopeless,
    );
  });
});
