import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mayTryAfterLoss, waitAfterRefusal } from "../../../../src/kube/client/retry.ts";
import { ConnectionError } from "../../../../src/kube/client/transport.ts";

const noJitter = (): number => 0;

describe("waitAfterRefusal", () => {
  it("comes again after 429 when the server says, whatever was asked", () => {
    assert.equal(waitAfterRefusal("POST", { status: 429, retryAfter: "2" }, 1, noJitter), 2_000);
    assert.equal(waitAfterRefusal("GET", { status: 429, retryAfter: "0" }, 1, noJitter), 0);
  });

  it("chooses its own time after 429 where the server names none", () => {
    const waits = [1, 2, 3].map((tries) =>
      waitAfterRefusal("POST", { status: 429, retryAfter: undefined }, tries, noJitter),
    );

    assert.deepEqual(waits, [100, 200, 400]);
  });

  it("comes again after a server error only where the server names a time", () => {
    assert.equal(waitAfterRefusal("GET", { status: 500, retryAfter: "1" }, 1), 1_000);
    assert.equal(waitAfterRefusal("GET", { status: 500, retryAfter: undefined }, 1), undefined);
  });

  it("does not repeat a write that may have been done", () => {
    assert.equal(waitAfterRefusal("PATCH", { status: 504, retryAfter: "1" }, 1), undefined);
    assert.equal(waitAfterRefusal("PATCH", { status: 503, retryAfter: "1" }, 1), 1_000);
  });

  it("passes on every other refusal", () => {
    for (const status of [400, 401, 403, 404, 409, 410, 422]) {
      assert.equal(waitAfterRefusal("GET", { status, retryAfter: "1" }, 1), undefined);
    }
  });

  it("gives up after five tries, and where the wait is long", () => {
    assert.equal(waitAfterRefusal("GET", { status: 429, retryAfter: "1" }, 5), undefined);
    assert.equal(waitAfterRefusal("GET", { status: 429, retryAfter: "31" }, 1), undefined);
  });
});

describe("mayTryAfterLoss", () => {
  const unsent = new ConnectionError("https://host", false, "refused");
  const sent = new ConnectionError("https://host", true, "reset");

  it("sends a read again", () => {
    assert.equal(mayTryAfterLoss("GET", sent, 1), true);
    assert.equal(mayTryAfterLoss("GET", unsent, 2), true);
  });

  it("sends a write again only where it surely was not sent", () => {
    assert.equal(mayTryAfterLoss("POST", unsent, 1), true);
    assert.equal(mayTryAfterLoss("POST", sent, 1), false);
  });

  it("passes on what is no matter of the connection, and gives up after five tries", () => {
    assert.equal(mayTryAfterLoss("GET", new Error("no such file"), 1), false);
    assert.equal(mayTryAfterLoss("GET", unsent, 5), false);
  });
});
