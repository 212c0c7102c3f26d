import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redirectOf } from "../../../../src/registry/http/redirect.ts";

const from = new URL("https://registry.example.com/v2/app/blobs/x");

describe("redirectOf", () => {
  it("is none where the answer is one", () => {
    assert.deepEqual(redirectOf(from, { status: 200, location: "https://elsewhere.example.com/" }, false), {
      kind: "none",
    });
  });

  it("follows to another server, which does not learn who we are", () => {
    const target = new URL("https://storage.example.com/x?signature=y");

    assert.deepEqual(redirectOf(from, { status: 307, location: target.href }, false), {
      kind: "follow",
      url: target,
      sameServer: false,
    });
  });

  it("follows to the same server", () => {
    const next = redirectOf(from, { status: 301, location: "/v2/library/app" }, false);

    assert.deepEqual(next, {
      kind: "follow",
      url: new URL("https://registry.example.com/v2/library/app"),
      sameServer: true,
    });
  });

  it("goes from TLS to none only where the user trusts the host without", () => {
    assert.equal(
      redirectOf(from, { status: 302, location: "http://storage.example.com/x" }, false).kind,
      "refuse",
    );
    assert.equal(
      redirectOf(from, { status: 302, location: "http://storage.example.com/x" }, true).kind,
      "follow",
    );
  });

  for (const location of ["", "https://", "file:///etc/passwd", "ftp://example.com/"]) {
    it(`refuses ${JSON.stringify(location)}`, () => {
      assert.equal(redirectOf(from, { status: 302, location }, true).kind, "refuse");
    });
  }
});
