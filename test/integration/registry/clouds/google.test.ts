import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, FakeClock, serve } from "@weir/testing";
import { gcpCredentials } from "../../../../src/registry/credentials/gcp.ts";
import { openTransport } from "../../../support/registry-transport.ts";

const never = new AbortController().signal;
const minute = 60_000;

describe("credentials from Google", () => {
  it("are the token of the machine, until it is about to end", async () => {
    let issued = 0;
    await using metadata = await serve(({ url, headers }, response) => {
      assert.equal(url, "/computeMetadata/v1/instance/service-accounts/default/token");
      assert.equal(headers["metadata-flavor"], "Google");
      issued += 1;
      answer(response, {
        status: 200,
        body: { access_token: `token-${issued}`, expires_in: 3_600, token_type: "Bearer" },
      });
    });
    await using transport = openTransport();
    const clock = new FakeClock();
    const source = gcpCredentials({ metadataUrl: metadata.url, transport, clock });
    const passwordFor = async (host: string): Promise<string | undefined> =>
      (await source.credentialsFor(host, never))?.password;

    assert.deepEqual(
      [await passwordFor("gcr.io"), await passwordFor("eu.gcr.io"), await passwordFor("a-docker.pkg.dev")],
      Array(3).fill("token-1"),
    );
    assert.equal(await passwordFor("quay.io"), undefined);
    await clock.advance(54 * minute);
    assert.equal(await passwordFor("gcr.io"), "token-1");
    await clock.advance(2 * minute);
    assert.equal(await passwordFor("gcr.io"), "token-2");
  });
});
