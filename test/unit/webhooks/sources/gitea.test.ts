import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, hmac, judged } from "../../../support/webhooks.ts";

const item = {
  owner: { login: "Team" },
  type: "container",
  name: "web",
  version: "1.0",
  html_url: "https://git.example.com/Team/-/packages/container/web/1.0",
};

function told(change: object, action = "created", registryHost = ""): Promise<unknown> {
  const body = JSON.stringify({ action, package: { ...item, ...change } });
  const headers = { "X-Gitea-Event": "package", "X-Gitea-Signature": hmac("sha256", body) };
  return judged(endpointOf("Gitea", { registryHost }), { body, headers });
}

describe("Gitea", () => {
  it("tells of images that are new, at its own host or that of the configuration", async () => {
    assert.deepEqual(await told({}), [image("git.example.com", "team/web", "1.0")]);
    assert.deepEqual(await told({}, "created", "images.example.com"), [
      image("images.example.com", "team/web", "1.0"),
    ]);
  });

  it("says nothing of what is no image, has no tag, or was deleted", async () => {
    assert.deepEqual(await told({ type: "npm" }), []);
    assert.deepEqual(await told({ version: "sha256:0123" }), []);
    assert.deepEqual(await told({}, "deleted"), []);
  });

  it("has to say where its registry is", async () => {
    assert.equal(await told({ html_url: "" }), "malformed");
  });

  it("is Forgejo where that says so, and is not believed for Gitea's signature then", async () => {
    const body = JSON.stringify({
      ref: "refs/heads/main",
      repository: { ssh_url: "git@a.example.com:b/c.git" },
    });
    const good = hmac("sha256", body);
    const told = (forgejo: string): Promise<unknown> =>
      judged(endpointOf("Gitea"), {
        body,
        headers: {
          "X-Gitea-Event": "push",
          "X-Gitea-Signature": good,
          "X-Forgejo-Signature": forgejo,
        },
      });

    assert.deepEqual(await told(good), [{ kind: "git", url: "git@a.example.com:b/c.git", branch: "main" }]);
    assert.equal(await told(hmac("sha256", "x")), "unauthorized");
  });

  it("has to sign", async () => {
    assert.equal(
      await judged(endpointOf("Gitea"), { body: "{}", headers: { "X-Gitea-Event": "push" } }),
      "unauthorized",
    );
  });
});
