import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mayTryAfterLoss, waitAfterRefusal } from "../../../src/client/retry.ts";
import { ConnectionError } from "../../../src/rest/transport.ts";

const noJitter = (): number => 0;

describe("waitAfterRefusal", () => {
  it("retries any request after 429 at the time that the server specifies", () => {
    assert.equal(
      waitAfterRefusal({ method: "POST" }, { status: 429, retryAfter: "2" }, { tries: 1, random: noJitter }),
      2_000,
    );
    assert.equal(
      waitAfterRefusal({ method: "GET" }, { status: 429, retryAfter: "0" }, { tries: 1, random: noJitter }),
      0,
    );
  });

  it("chooses its own time after 429 if the server specifies none", () => {
    const waits = [1, 2, 3].map((tries) =>
      waitAfterRefusal(
        { method: "POST" },
        { status: 429, retryAfter: undefined },
        { tries, random: noJitter },
      ),
    );

    assert.deepEqual(waits, [100, 200, 400]);
  });

  it("retries after a server error only if the server specifies a time", () => {
    assert.equal(waitAfterRefusal({ method: "GET" }, { status: 500, retryAfter: "1" }, { tries: 1 }), 1_000);
    assert.equal(
      waitAfterRefusal({ method: "GET" }, { status: 500, retryAfter: undefined }, { tries: 1 }),
      undefined,
    );
  });

  it("does not repeat a write that may have been done", () => {
    assert.equal(
      waitAfterRefusal({ method: "PATCH" }, { status: 504, retryAfter: "1" }, { tries: 1 }),
      undefined,
    );
    assert.equal(
      waitAfterRefusal({ method: "PATCH" }, { status: 503, retryAfter: "1" }, { tries: 1 }),
      1_000,
    );
  });

  it("passes on every other refusal", () => {
    for (const status of [400, 401, 403, 404, 409, 410, 422]) {
      assert.equal(waitAfterRefusal({ method: "GET" }, { status, retryAfter: "1" }, { tries: 1 }), undefined);
    }
  });

  it("gives up after five attempts, and if the wait is long", () => {
    assert.equal(
      waitAfterRefusal({ method: "GET" }, { status: 429, retryAfter: "1" }, { tries: 5 }),
      undefined,
    );
    assert.equal(
      waitAfterRefusal({ method: "GET" }, { status: 429, retryAfter: "31" }, { tries: 1 }),
      undefined,
    );
  });
});

describe("mayTryAfterLoss", () => {
  const unsent = new ConnectionError({ server: "https://host", sent: false, reason: "refused" });
  const sent = new ConnectionError({ server: "https://host", sent: true, reason: "reset" });

  it("sends a read again", () => {
    assert.equal(mayTryAfterLoss({ method: "GET" }, sent, { tries: 1, failures: 1 }), true);
    assert.equal(mayTryAfterLoss({ method: "GET" }, unsent, { tries: 2, failures: 1 }), true);
  });

  it("retries a write only if it certainly was not sent", () => {
    assert.equal(mayTryAfterLoss({ method: "POST" }, unsent, { tries: 1, failures: 1 }), true);
    assert.equal(mayTryAfterLoss({ method: "POST" }, sent, { tries: 1, failures: 1 }), false);
  });

  it("passes on errors that do not concern the connection, and gives up after five attempts", () => {
    assert.equal(
      mayTryAfterLoss({ method: "GET" }, new Error("no such file"), { tries: 1, failures: 1 }),
      false,
    );
    assert.equal(mayTryAfterLoss({ method: "GET" }, unsent, { tries: 5, failures: 1 }), false);
  });

  it("gives up if the server has been unavailable for as many attempts", () => {
    assert.equal(mayTryAfterLoss({ method: "GET" }, unsent, { tries: 1, failures: 4 }), true);
    assert.equal(mayTryAfterLoss({ method: "GET" }, unsent, { tries: 1, failures: 5 }), false);
  });

  it("retries a probe only if the server was available before", () => {
    const probe = { method: "GET", isProbe: true } as const;

    assert.equal(mayTryAfterLoss(probe, unsent, { tries: 1, failures: 1 }), true);
    assert.equal(mayTryAfterLoss(probe, unsent, { tries: 2, failures: 1 }), false);
    assert.equal(mayTryAfterLoss(probe, unsent, { tries: 1, failures: 2 }), false);
    assert.equal(waitAfterRefusal(probe, { status: 429, retryAfter: "1" }, { tries: 1 }), undefined);
  });
});
