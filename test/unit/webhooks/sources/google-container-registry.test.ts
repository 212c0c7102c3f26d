import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GoogleIdentity } from "../../../../src/webhooks/hook.ts";
import { TrustError } from "../../../../src/webhooks/trust-error.ts";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, googleToken, judged, sampleTime, sampleTrust } from "../../../support/webhooks.ts";

const identity: GoogleIdentity = {
  audience: "https://hooks.example.com",
  email: "pusher@my-project.iam.gserviceaccount.com",
};
const pushed = [image("gcr.io", "my-project/web", "1.0")];
const body = message({ action: "INSERT", tag: "gcr.io/my-project/web:1.0" });

function message(event: object): string {
  return JSON.stringify({ message: { data: Buffer.from(JSON.stringify(event)).toString("base64") } });
}

async function toldWith(claims: object, google: GoogleIdentity = identity): Promise<unknown> {
  const Authorization = `Bearer ${await googleToken({ ...claims })}`;
  return judged(endpointOf("GoogleContainerRegistry", { google }), { body, headers: { Authorization } });
}

describe("Google's registries", () => {
  it("are known by a token of the right account for the right audience", async () => {
    assert.deepEqual(await toldWith({}), pushed);
    assert.deepEqual(await toldWith({ email: "x@example.com" }, { ...identity, email: "" }), pushed);
  });

  const seconds = sampleTime / 1000;
  for (const [what, claims] of [
    ["for another audience", { aud: "https://other.example.com" }],
    ["of another account", { email: "somebody@example.com" }],
    ["of an account that nobody verified", { email_verified: false }],
    ["of another issuer", { iss: "https://accounts.example.com" }],
    ["that has ended", { exp: seconds - 120 }],
    ["that has not begun", { nbf: seconds + 120 }],
    ["without an end", { exp: undefined }],
  ] as const) {
    it(`are refused with a token ${what}`, async () => {
      assert.equal(await toldWith(claims), "unauthorized");
    });
  }

  it("are refused with what is no token of Google's", async () => {
    const token = await googleToken();
    const [header = "", payload = "", signature = ""] = token.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const symmetric = Buffer.from('{"alg":"HS256","kid":"google-1"}').toString("base64url");
    const tokens = [
      "",
      token,
      "Bearer",
      "Bearer x",
      "Bearer a.b.c",
      `Bearer ${none}.${payload}.`,
      `Bearer ${symmetric}.${payload}.${signature}`,
      `Bearer ${header}.${payload}.${signature.slice(4)}`,
    ];

    for (const Authorization of tokens) {
      const endpoint = endpointOf("GoogleContainerRegistry", { google: identity });
      assert.equal(
        await judged(endpoint, { body, headers: { Authorization } }),
        "unauthorized",
        Authorization,
      );
    }
  });

  it("may try again while their keys cannot be had", async () => {
    const endpoint = endpointOf("GoogleContainerRegistry", { google: identity });
    const trust = { ...sampleTrust, googleKey: () => Promise.reject(new TrustError("no way to Google")) };
    const Authorization = `Bearer ${await googleToken()}`;

    assert.equal(await judged(endpoint, { body, headers: { Authorization } }, trust), "unavailable");
  });

  it("bear no token where none is asked for, as for flux-recv", async () => {
    assert.deepEqual(await judged(endpointOf("GoogleContainerRegistry"), { body }), pushed);
  });

  it("say nothing of ours where an image was deleted, or has no tag", async () => {
    const endpoint = endpointOf("GoogleContainerRegistry");

    assert.deepEqual(
      await judged(endpoint, { body: message({ action: "DELETE", tag: "gcr.io/a/b:1" }) }),
      [],
    );
    assert.deepEqual(
      await judged(endpoint, { body: message({ action: "INSERT", digest: "gcr.io/a/b@sha256:0" }) }),
      [],
    );
  });

  it("send an event in a message", async () => {
    for (const text of [
      "{}",
      '{"message":{}}',
      '{"message":{"data":"!"}}',
      '{"message":{"data":1}}',
      message([]),
    ]) {
      assert.equal(await judged(endpointOf("GoogleContainerRegistry"), { body: text }), "malformed", text);
    }
  });
});
