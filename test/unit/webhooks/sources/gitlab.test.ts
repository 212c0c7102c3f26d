import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointOf, judged, sampleKey } from "../../../support/webhooks.ts";

const endpoint = endpointOf("GitLab");
const token = sampleKey.toString();
const body = JSON.stringify({ ref: "refs/heads/main", project: { git_ssh_url: "git@gitlab.com:a/b.git" } });

describe("GitLab", () => {
  for (const wrong of ["", "x", `${token}x`, token.slice(1), token.toUpperCase()]) {
    it(`is refused with the token ${JSON.stringify(wrong)}`, async () => {
      const headers = { "X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": wrong };

      assert.equal(await judged(endpoint, { body, headers }), "unauthorized");
    });
  }

  it("may have a token that is not plain ASCII: headers are bytes", async () => {
    const key = Buffer.from("schlüssel-ключ-0123456789");
    const headers = { "X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": key.toString("latin1") };

    assert.deepEqual(await judged(endpointOf("GitLab", { keys: [key] }), { body, headers }), [
      { kind: "git", url: "git@gitlab.com:a/b.git", branch: "main" },
    ]);
  });

  it("says nothing of ours with another event", async () => {
    for (const event of ["Tag Push Hook", "Issue Hook", ""]) {
      const headers = { "X-Gitlab-Event": event, "X-Gitlab-Token": token };
      assert.deepEqual(await judged(endpoint, { body: "not read", headers }), []);
    }
  });
});
