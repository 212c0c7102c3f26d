import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, judged } from "../../../support/webhooks.ts";

const endpoint = endpointOf("DockerHub");

describe("Docker Hub", () => {
  it("may name no tag", async () => {
    assert.deepEqual(await judged(endpoint, { body: '{"repository":{"repo_name":"team/web"}}' }), [
      image("", "team/web"),
    ]);
  });

  it("has to name a repository that can be one", async () => {
    for (const name of ["", "/", "web/", "a:b:c", "x".repeat(2000), 1, null, {}]) {
      const body = JSON.stringify({ repository: { repo_name: name } });
      assert.equal(await judged(endpoint, { body }), "malformed", body);
    }
  });
});
