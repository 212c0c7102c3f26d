import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, hmac, judged } from "../../../support/webhooks.ts";

function told(payload: object, algorithm = "sha256"): Promise<unknown> {
  const body = JSON.stringify(payload);
  return judged(endpointOf("Generic"), {
    body,
    headers: { "X-Signature": `${algorithm}=${hmac(algorithm, body)}` },
  });
}

describe("a generic request", () => {
  it("tells of images and of a branch", async () => {
    assert.deepEqual(
      await told({ images: ["a.example.com/b:1", "alpine"], url: "git@c.example.com:d", branch: "e" }),
      [
        image("a.example.com", "b", "1"),
        image("", "alpine"),
        { kind: "git", url: "git@c.example.com:d", branch: "e" },
      ],
    );
  });

  it("may be signed with SHA-512, but not with SHA-1", async () => {
    assert.deepEqual(await told({ image: "alpine:1" }, "sha512"), [image("", "alpine", "1")]);
    assert.equal(await told({ image: "alpine:1" }, "sha1"), "unauthorized");
  });

  it("has to be about something", async () => {
    for (const payload of [{}, { images: [] }, { image: "" }, { image: 1 }, { images: [1] }, { url: "x" }]) {
      assert.equal(await told(payload), "malformed", JSON.stringify(payload));
    }
  });
});
