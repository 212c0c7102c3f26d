import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EndpointError, inferEndpoints, safeUrl } from "../../../../src/api/upstream/endpoints.ts";

describe("the endpoints of an upstream", () => {
  const bases = [
    ["ws://cloud.test/api/flux", "ws://cloud.test/api/flux", "http://cloud.test/api/flux"],
    ["wss://cloud.test", "wss://cloud.test", "https://cloud.test"],
    ["http://cloud.test:8080/", "ws://cloud.test:8080/", "http://cloud.test:8080"],
    ["HTTPS://cloud.test/a//b/?x=1", "wss://cloud.test/a//b/?x=1", "https://cloud.test/a/b"],
  ] as const;
  for (const [base, target, http] of bases) {
    it(`of ${base} pair websocket and HTTP, and join paths`, () => {
      const endpoints = inferEndpoints(base);

      assert.equal(endpoints.target, target);
      assert.equal(endpoints.events.href, `${http}/v6/events`);
      assert.equal(endpoints.daemon.href, `${http.replace("http", "ws")}/v11/daemon`);
    });
  }

  it("show no password, but use it", () => {
    const { target, daemon } = inferEndpoints("wss://user:secret@cloud.test/x");

    assert.equal(target, "wss://user@cloud.test/x");
    assert.equal(daemon.password, "secret");
    assert.equal(safeUrl(daemon), "wss://user@cloud.test/x/v11/daemon");
  });

  it("cannot be made of anything else", () => {
    for (const base of ["x", "ftp://x", "//x", "ws://", "https://a b", "wss://x:99999"]) {
      assert.throws(() => inferEndpoints(base), EndpointError, base);
    }
  });
});
