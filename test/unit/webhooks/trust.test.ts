import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { FakeClock } from "@weir/testing";
import { createTrust } from "../../../src/webhooks/trust.ts";
import { TrustError } from "../../../src/webhooks/trust-error.ts";
import { endpointOf, googleKeys, googleToken, judged, sampleTime } from "../../support/webhooks.ts";

const url = (name: string): URL =>
  new URL(`https://sns.us-west-2.amazonaws.com/SimpleNotificationService-${name}.pem`);

describe("what signatures are verified with", () => {
  it("is asked for once, also while the answer is not there yet", async () => {
    const asked: string[] = [];
    const trust = createTrust(({ href }) => {
      asked.push(href);
      return Promise.resolve(`of ${href}`);
    }, new FakeClock());

    const got = await Promise.all(["a", "a", "b"].map((name) => trust.snsCertificate(url(name))));
    await trust.snsCertificate(url("a"));

    assert.deepEqual(
      got,
      ["a", "a", "b"].map((name) => `of ${url(name).href}`),
    );
    assert.deepEqual(asked, [url("a").href, url("b").href]);
  });

  it("is asked for again where it could not be had", async () => {
    let isAway = true;
    const trust = createTrust(
      () => (isAway ? Promise.reject(new Error("no route")) : Promise.resolve("pem")),
      new FakeClock(),
    );

    await assert.rejects(trust.snsCertificate(url("a")), (error) => {
      assert.ok(error instanceof TrustError);
      assert.equal(error.message, `cannot get ${url("a").href}: no route`);
      return true;
    });
    isAway = false;
    assert.equal(await trust.snsCertificate(url("a")), "pem");
  });

  it("does not fill the memory", async () => {
    let asked = 0;
    const trust = createTrust(() => Promise.resolve(`${(asked += 1)}`), new FakeClock());

    for (let index = 0; index < 100; index += 1) {
      await trust.snsCertificate(url(String(index)));
    }

    assert.equal(await trust.snsCertificate(url("99")), "100", "a new one is kept");
    assert.equal(await trust.snsCertificate(url("0")), "101", "an old one is not");
  });

  it("of Google is what Google publishes", async () => {
    const asked: string[] = [];
    const clock = { ...systemClock, now: () => sampleTime };
    const trust = createTrust(({ href }) => {
      asked.push(href);
      return Promise.resolve(JSON.stringify(googleKeys));
    }, clock);
    const google = { audience: "https://hooks.example.com", email: "" };
    const body = JSON.stringify({ message: { data: Buffer.from("{}").toString("base64") } });
    const told = async (claims: object): Promise<unknown> =>
      judged(
        endpointOf("GoogleContainerRegistry", { google }),
        { body, headers: { Authorization: `Bearer ${await googleToken({ ...claims })}` } },
        trust,
      );

    assert.deepEqual(await told({}), []);
    assert.equal(await told({ aud: "other" }), "unauthorized");
    assert.deepEqual(asked, ["https://www.googleapis.com/oauth2/v3/certs"], "once for all tokens");
  });

  it("of Google comes from Google, and a fault on the way is told as such", async () => {
    const asked: string[] = [];
    const trust = createTrust(({ href }) => {
      asked.push(href);
      return Promise.reject(new Error("no route"));
    }, new FakeClock());

    await assert.rejects(
      async () => trust.googleKey({ alg: "RS256", kid: "1" }, { payload: "", signature: "" }),
      TrustError,
    );
    assert.deepEqual(asked, ["https://www.googleapis.com/oauth2/v3/certs"]);
  });
});
