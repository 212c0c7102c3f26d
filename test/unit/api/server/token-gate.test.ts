import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, it } from "node:test";
import { mayPass } from "../../../../src/api/server/token-gate.ts";

function request(method: string, url: string, authorization?: string): IncomingMessage {
  const made = new IncomingMessage(new Socket());
  Object.assign(made, { method, url, headers: authorization === undefined ? {} : { authorization } });
  return made;
}

describe("the token of a listener", () => {
  for (const [authorization, passes] of [
    ["Bearer sesame", true],
    ["bearer  sesame", true],
    ["Scope-Probe token=sesame", true],
    ["Bearer sesam", false],
    ["Bearer sesame2", false],
    ["Bearer sesame x", false],
    ["Basic sesame", false],
    ["sesame", false],
    ["Bearer ", false],
    [undefined, false],
  ] as const) {
    it(`${passes ? "is in" : "is not in"} ${JSON.stringify(authorization)}`, () => {
      assert.equal(mayPass(request("GET", "/api/flux/v11/services", authorization), "sesame"), passes);
    });
  }

  it("is not asked of probes and of those who read metrics", () => {
    for (const url of ["/api/flux/v11/ping", "/api/flux/v6/identity.pub", "/metrics", "/metrics?x=y"]) {
      assert.equal(mayPass(request("GET", url), "sesame"), true, url);
    }
    assert.equal(mayPass(request("POST", "/api/flux/v6/identity.pub"), "sesame"), false);
    assert.equal(mayPass(request("GET", "/debug/pprof/profile"), "sesame"), false);
  });

  it("is no empty one: then nobody passes", () => {
    assert.equal(mayPass(request("GET", "/api/flux/v11/services", "Bearer x"), ""), false);
    assert.equal(mayPass(request("GET", "/api/flux/v11/services"), ""), false);
  });
});
