import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointOf, hmac, judged } from "../../../support/webhooks.ts";

const body = JSON.stringify({
  repository: { full_name: "team/config" },
  push: {
    changes: [
      { new: { type: "branch", name: "main" } },
      { new: { type: "tag", name: "1.0" } },
      { new: null },
    ],
  },
});
const url = "git@bitbucket.org:team/config.git";
const pushed = [
  { kind: "git", url, branch: "main" },
  { kind: "git", url, branch: "1.0" },
];

describe("Bitbucket Cloud", () => {
  it("need not sign, as for flux-recv", async () => {
    assert.deepEqual(
      await judged(endpointOf("BitbucketCloud"), { body, headers: { "X-Event-Key": "repo:push" } }),
      pushed,
    );
  });

  it("is refused where what it signs does not hold", async () => {
    const headers = { "X-Event-Key": "repo:push", "X-Hub-Signature": `sha256=${hmac("sha256", "x")}` };

    assert.equal(await judged(endpointOf("BitbucketCloud"), { body, headers }), "unauthorized");
  });

  it("has to sign where the configuration says so", async () => {
    const endpoint = endpointOf("BitbucketCloud", { signed: true });

    assert.equal(await judged(endpoint, { body, headers: { "X-Event-Key": "repo:push" } }), "unauthorized");
  });

  it("names its repository, and says nothing of ours with another event", async () => {
    const endpoint = endpointOf("BitbucketCloud");

    assert.equal(
      await judged(endpoint, { body: '{"push":{"changes":[]}}', headers: { "X-Event-Key": "repo:push" } }),
      "malformed",
    );
    assert.deepEqual(await judged(endpoint, { body, headers: { "X-Event-Key": "repo:fork" } }), []);
  });
});
