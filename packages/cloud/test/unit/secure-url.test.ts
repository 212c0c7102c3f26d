import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InsecureUrlError, secureUrl } from "../../src/secure-url.ts";

describe("secureUrl", () => {
  for (const text of [
    "https://example.com/path",
    "http://127.0.0.1:8080",
    "http://localhost",
    "http://[::1]:1",
    "http://169.254.169.254",
    "http://[fd00:ec2::23]/v1/credentials",
    "http://metadata.google.internal",
  ]) {
    it(`takes ${text}`, () => {
      assert.equal(secureUrl(text, "SETTING").href, new URL(text).href);
    });
  }

  for (const [text, message] of [
    ["http://example.com", /^SETTING names example\.com without TLS/],
    ["http://127.example.com", /without TLS/],
    ["http://localhost.example.com", /without TLS/],
    ["http://169.254.169.254.example.com", /without TLS/],
    ["http://10.0.0.1", /without TLS/],
    ["file:///etc/passwd", /^SETTING isn't a valid URL/],
    ["example.com", /^SETTING isn't a valid URL/],
    ["", /^SETTING isn't a valid URL/],
    ["https://user:s3cret@example.com", /^SETTING contains a user name or password/],
  ] as const) {
    it(`refuses ${text}`, () => {
      assert.throws(
        () => secureUrl(text, "SETTING"),
        (error) => {
          assert.ok(error instanceof InsecureUrlError);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /s3cret/);
          return true;
        },
      );
    });
  }
});
