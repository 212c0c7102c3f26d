import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { otherCertificate } from "@weir/testing";
import type { HookAction, Refusal } from "../../../src/webhooks/hook.ts";
import { TrustError } from "../../../src/webhooks/trust-error.ts";
import { image, snsMessage, topicArn } from "../../support/webhook-samples.ts";
import { endpointOf, judged, sampleTrust } from "../../support/webhooks.ts";

const endpoint = endpointOf("AmazonECR", { topicArn });
const headers = { "X-Amz-Sns-Message-Type": "Notification" };
const pushed = [image("123456789012.dkr.ecr.us-west-2.amazonaws.com", "team/web", "1.2.0")];

function told(body: string, trust = sampleTrust): Promise<readonly HookAction[] | Refusal> {
  return judged(endpoint, { body, headers }, trust);
}

/** A message that was changed after it was signed. */
function forged(change: object): string {
  return JSON.stringify({ ...(JSON.parse(snsMessage()) as object), ...change });
}

describe("a message of SNS", () => {
  it("is signed in either way, with a subject or without", async () => {
    assert.deepEqual(await told(snsMessage()), pushed);
    assert.deepEqual(await told(snsMessage({ SignatureVersion: "1" }, "RSA-SHA1")), pushed);
    assert.deepEqual(await told(snsMessage({ Subject: "a push" })), pushed);
  });

  it("is confirmed where somebody subscribes us, at a URL of SNS alone", async () => {
    const message = (SubscribeURL: string): string =>
      snsMessage({ Type: "SubscriptionConfirmation", Token: "2336412f37fb", SubscribeURL });
    const url = "https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37fb";

    assert.deepEqual(await told(message(url)), [{ kind: "confirm", url: new URL(url) }]);
    assert.equal(await told(message("https://169.254.169.254/latest/meta-data")), "unauthorized");
  });

  it("is nothing to us where somebody ends the subscription", async () => {
    const SubscribeURL = "https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription";

    assert.deepEqual(
      await told(snsMessage({ Type: "UnsubscribeConfirmation", Token: "2336412f37fb", SubscribeURL })),
      [],
    );
  });

  for (const [what, change] of [
    ["another message", { Message: "{}" }],
    ["another subject", { Subject: "x" }],
    ["another time", { Timestamp: "2026-01-30T04:18:05.000Z" }],
    ["another type", { Type: "SubscriptionConfirmation" }],
    ["another version", { SignatureVersion: "1" }],
    ["an unknown version", { SignatureVersion: "3" }],
    ["no signature", { Signature: "" }],
    ["another signature", { Signature: "AAAA" }],
  ] as const) {
    it(`is refused with ${what} than was signed`, async () => {
      assert.equal(await told(forged(change)), "unauthorized");
    });
  }

  it("is refused where it is of another topic, though SNS signed it: anybody can have one", async () => {
    const other = snsMessage({ TopicArn: "arn:aws:sns:us-west-2:999999999999:pushes" });

    assert.equal(await told(other), "unauthorized");
    assert.equal(await judged(endpointOf("AmazonECR"), { body: snsMessage(), headers }), "unauthorized");
    assert.equal(
      await judged(endpointOf("AmazonECR"), { body: snsMessage({ TopicArn: "" }), headers }),
      "unauthorized",
      "no topic is not the topic of a message that has none",
    );
  });

  for (const url of [
    "http://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ec.pem",
    "https://sns.us-west-2.amazonaws.com.example.com/SimpleNotificationService-f3ec.pem",
    "https://example.com/SimpleNotificationService-f3ec.pem",
    "https://sns.us-west-2.amazonaws.com:8443/SimpleNotificationService-f3ec.pem",
    "https://x@sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ec.pem",
    "https://s3.us-west-2.amazonaws.com/SimpleNotificationService-f3ec.pem",
    "https://sns.us-west-2.amazonaws.com/other.pem",
    "https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ec.pem?x",
    "https://sns.amazonaws.com.attacker/SimpleNotificationService-f3ec.pem",
    "file:///SimpleNotificationService-f3ec.pem",
    "",
  ]) {
    it(`does not get its certificate from ${JSON.stringify(url)}`, async () => {
      const asked: string[] = [];
      const snsCertificate = (from: URL): Promise<string> => {
        asked.push(from.href);
        return sampleTrust.snsCertificate(from);
      };

      assert.equal(
        await told(snsMessage({ SigningCertURL: url }), { ...sampleTrust, snsCertificate }),
        "unauthorized",
      );
      assert.deepEqual(asked, []);
    });
  }

  it("is refused with a certificate of somebody else, or one that has ended", async () => {
    const other = { ...sampleTrust, snsCertificate: () => Promise.resolve(otherCertificate) };
    const late = { ...sampleTrust, now: () => Date.parse("2121-01-01T00:00:00Z") };

    assert.equal(await told(snsMessage(), other), "unauthorized");
    assert.equal(await told(snsMessage(), late), "unauthorized");
  });

  it("may come again while its certificate cannot be had", async () => {
    const away = { ...sampleTrust, snsCertificate: () => Promise.reject(new TrustError("no way to SNS")) };
    const odd = { ...sampleTrust, snsCertificate: () => Promise.resolve("<html>") };

    assert.equal(await told(snsMessage(), away), "unavailable");
    assert.equal(await told(snsMessage(), odd), "unavailable");
  });
});
