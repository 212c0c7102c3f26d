import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointOf, hmac, judged } from "../../../support/webhooks.ts";

const endpoint = endpointOf("BitbucketServer");

function told(payload: object, event = "repo:refs_changed"): Promise<unknown> {
  const body = JSON.stringify(payload);
  return judged(endpoint, {
    body,
    headers: {
      "X-Event-Key": event,
      "X-Hub-Signature": `sha256=${hmac("sha256", body)}`,
    },
  });
}

describe("Bitbucket Server", () => {
  it("tells of each branch once", async () => {
    const clone = [{ name: "ssh", href: "ssh://git@a.example.com/b.git" }];
    const branch = (id: string): object => ({ ref: { id: `refs/heads/${id}`, type: "BRANCH" } });

    assert.deepEqual(
      await told({ repository: { links: { clone } }, changes: [branch("a"), branch("b"), branch("a")] }),
      [
        { kind: "git", url: "ssh://git@a.example.com/b.git", branch: "a" },
        { kind: "git", url: "ssh://git@a.example.com/b.git", branch: "b" },
      ],
    );
  });

  it("has to name the link over SSH", async () => {
    assert.equal(await told({ repository: { links: { clone: [] } }, changes: [] }), "malformed");
  });

  it("may test the connection", async () => {
    assert.deepEqual(await told({ test: true }, "diagnostics:ping"), []);
  });

  it("has to sign", async () => {
    assert.equal(
      await judged(endpoint, { body: "{}", headers: { "X-Event-Key": "repo:refs_changed" } }),
      "unauthorized",
    );
  });
});
