import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, type HookHeaders, hmac, judged, sampleKey } from "../../../support/webhooks.ts";

const endpoint = endpointOf("GitHub");
const push = JSON.stringify({ ref: "refs/heads/main", repository: { ssh_url: "git@github.com:a/b.git" } });
const pushed = [{ kind: "git", url: "git@github.com:a/b.git", branch: "main" }];

function signed(body: string, event = "push"): HookHeaders {
  return { "X-GitHub-Event": event, "X-Hub-Signature-256": `sha256=${hmac("sha256", body)}` };
}

describe("GitHub", () => {
  it("may send a form", async () => {
    const form = new URLSearchParams({ payload: push }).toString();
    const headers = { ...signed(form), "Content-Type": "application/x-www-form-urlencoded" };

    assert.deepEqual(await judged(endpoint, { body: form, headers }), pushed);
    assert.equal(
      await judged(endpoint, {
        body: "x=1",
        headers: { ...signed("x=1"), "Content-Type": headers["Content-Type"] },
      }),
      "malformed",
    );
  });

  for (const algorithm of ["sha1", "sha256", "sha512"]) {
    it(`may sign with ${algorithm} alone, as old servers and flux-recv's users do`, async () => {
      const headers = {
        "X-GitHub-Event": "push",
        "X-Hub-Signature": `${algorithm}=${hmac(algorithm, push)}`,
      };

      assert.deepEqual(await judged(endpoint, { body: push, headers }), pushed);
    });
  }

  it("is not believed for the weaker signature where the better one is wrong", async () => {
    const headers = {
      "X-GitHub-Event": "push",
      "X-Hub-Signature": `sha1=${hmac("sha1", push)}`,
      "X-Hub-Signature-256": `sha256=${hmac("sha256", `${push} `)}`,
    };

    assert.equal(await judged(endpoint, { body: push, headers }), "unauthorized");
  });

  for (const [what, signature] of [
    ["none", ""],
    ["an unknown hash", `md5=${hmac("md5", push)}`],
    ["no hash", hmac("sha256", push)],
    ["a bare prefix", "sha256="],
    ["another key", `sha256=${hmac("sha256", push, Buffer.from("other"))}`],
    ["an empty key", `sha256=${hmac("sha256", push, Buffer.from(""))}`],
    ["another body", `sha256=${hmac("sha256", `${push}\n`)}`],
  ] as const) {
    it(`is refused with a signature of ${what}`, async () => {
      const headers = { "X-GitHub-Event": "push", "X-Hub-Signature-256": signature };

      assert.equal(await judged(endpoint, { body: push, headers }), "unauthorized");
    });
  }

  it("may sign with the key file as it is, or without the line break at its end", async () => {
    const line = Buffer.concat([sampleKey, Buffer.from("\n")]);
    const either = endpointOf("GitHub", { keys: [line, sampleKey] });

    for (const key of [line, sampleKey]) {
      const headers = {
        "X-GitHub-Event": "push",
        "X-Hub-Signature-256": `sha256=${hmac("sha256", push, key)}`,
      };
      assert.deepEqual(await judged(either, { body: push, headers }), pushed);
    }
  });

  it("keeps the refs of tags as they are", async () => {
    const tag = JSON.stringify({ ref: "refs/tags/1.0", repository: { ssh_url: "git@github.com:a/b.git" } });

    assert.deepEqual(await judged(endpoint, { body: tag, headers: signed(tag) }), [
      { kind: "git", url: "git@github.com:a/b.git", branch: "refs/tags/1.0" },
    ]);
  });

  for (const event of ["ping", "issues", ""]) {
    it(`says nothing of ours with the event ${JSON.stringify(event)}`, async () => {
      assert.deepEqual(await judged(endpoint, { body: push, headers: signed(push, event) }), []);
    });
  }

  it("does not leave out what matters", async () => {
    for (const body of [
      "{}",
      '{"ref":"refs/heads/main"}',
      '{"repository":{"ssh_url":"x"}}',
      '{"repository":[]}',
      "[]",
      '"x"',
      "",
    ]) {
      assert.equal(await judged(endpoint, { body, headers: signed(body) }), "malformed", body);
    }
  });

  describe("of packages", () => {
    const item = {
      name: "web",
      namespace: "Team",
      package_type: "CONTAINER",
      package_version: { container_metadata: { tag: { name: "1.0" } } },
    };

    async function told(change: object, action = "published"): Promise<unknown> {
      const body = JSON.stringify({ action, package: { ...item, ...change } });
      return judged(endpoint, { body, headers: signed(body, "package") });
    }

    it("tells of images that are new, under either name of the event", async () => {
      assert.deepEqual(await told({}), [image("ghcr.io", "team/web", "1.0")]);
      assert.deepEqual(await told({}, "updated"), [image("ghcr.io", "team/web", "1.0")]);
    });

    it("says nothing of what is no image, has no tag, or was deleted", async () => {
      assert.deepEqual(await told({ package_type: "npm" }), []);
      assert.deepEqual(await told({ package_version: { container_metadata: { tag: { name: "" } } } }), []);
      assert.deepEqual(await told({ package_version: null }), []);
      assert.deepEqual(await told({}, "deleted"), []);
    });

    it("are at the host of the configuration where one is given", async () => {
      const body = JSON.stringify({ action: "published", package: item });
      const own = endpointOf("GitHub", { registryHost: "containers.example.com" });

      assert.deepEqual(await judged(own, { body, headers: signed(body, "package") }), [
        image("containers.example.com", "team/web", "1.0"),
      ]);
    });
  });
});
