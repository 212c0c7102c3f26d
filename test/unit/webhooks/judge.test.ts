import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image, webhookSamples } from "../../support/webhook-samples.ts";
import { endpointOf, type HookHeaders, hmac, judged } from "../../support/webhooks.ts";

describe("a good request of each source", () => {
  for (const { title, endpoint, body, headers, actions } of webhookSamples) {
    it(`tells what was pushed: ${title}`, async () => {
      assert.deepEqual(await judged(endpoint, { body, headers: headers(body) }), actions);
    });
  }
});

describe("the host of the configuration", () => {
  const ofImages = webhookSamples.filter(
    ({ endpoint, actions }) => endpoint.name !== "Generic" && actions.some(({ kind }) => kind === "image"),
  );

  for (const { title, endpoint, body, headers, actions } of ofImages) {
    it(`is that of the image, whatever the service calls it: ${title}`, async () => {
      const registryHost = "mirror.example.com:5000";

      assert.deepEqual(
        await judged({ ...endpoint, registryHost }, { body, headers: headers(body) }),
        actions.map((action) =>
          action.kind === "image" ? { ...action, name: { ...action.name, domain: registryHost } } : action,
        ),
      );
    });
  }
});

describe("what follows from a request", () => {
  const generic = endpointOf("Generic");
  const signed = (body: string): HookHeaders => ({ "X-Signature": `sha256=${hmac("sha256", body)}` });

  it("is told once of each repository, with all its tags", async () => {
    const images = ["docker.io/library/alpine:1", "alpine:2", "alpine:1", "quay.io/team/web"];
    const body = JSON.stringify({ images });

    assert.deepEqual(await judged(generic, { body, headers: signed(body) }), [
      image("", "alpine", "1", "2"),
      image("quay.io", "team/web"),
    ]);
  });

  it("is nothing where it is more than a push can change", async () => {
    const images = (count: number): string =>
      JSON.stringify({ images: Array.from({ length: count }, (_, index) => `a.example.com/x${index}:1`) });

    assert.equal((await judged(generic, { body: images(100), headers: signed(images(100)) })).length, 100);
    assert.equal(await judged(generic, { body: images(101), headers: signed(images(101)) }), "malformed");
  });
});
