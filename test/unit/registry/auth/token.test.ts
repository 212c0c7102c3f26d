import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireError } from "@weir/http";
import { parseChallenges } from "../../../../src/registry/auth/challenge.ts";
import { parseToken, type TokenRequest, tokenRequest } from "../../../../src/registry/auth/token.ts";

const credentials = { username: "me", password: "s:cret", provenance: "a test" };

function ask(realm: string, withCredentials = true, mayBePlain = false): TokenRequest {
  const [challenge] = parseChallenges(`Bearer realm="${realm}",service="registry.example.com"`);
  assert.ok(challenge);
  return tokenRequest(challenge, {
    repository: "org/app",
    credentials: withCredentials ? credentials : undefined,
    mayBePlain,
  });
}

describe("tokenRequest", () => {
  it("asks for the right to pull, as who we are", () => {
    const { url, headers } = ask("https://auth.example.com/token?a=b");

    assert.equal(
      url.href,
      "https://auth.example.com/token?a=b&service=registry.example.com&scope=repository%3Aorg%2Fapp%3Apull&account=me",
    );
    assert.deepEqual(headers, {
      authorization: `Basic ${Buffer.from("me:s:cret").toString("base64")}`,
    });
  });

  it("asks as anybody without credentials", () => {
    assert.deepEqual(ask("https://auth.example.com/token", false).headers, {});
  });

  it("does not ask in the open where the registry has TLS", () => {
    assert.throws(() => ask("http://auth.example.com/token"), WireError);
    assert.equal(ask("http://auth.example.com/token", true, true).url.protocol, "http:");
  });

  for (const realm of ["", "no url", "file:///etc/passwd"]) {
    it(`refuses the realm ${JSON.stringify(realm)}`, () => {
      assert.throws(() => ask(realm), WireError);
    });
  }
});

describe("parseToken", () => {
  const read = (answer: object): ReturnType<typeof parseToken> =>
    parseToken(Buffer.from(JSON.stringify(answer)), 1_000_000);

  it("reads a token under both names it goes by", () => {
    assert.equal(read({ token: "abc" }).text, "abc");
    assert.equal(read({ access_token: "abc" }).text, "abc");
  });

  it("ends a while before the registry does, and after a minute where that is not said", () => {
    assert.equal(read({ token: "abc", expires_in: 300 }).expires, 1_290_000);
    assert.equal(read({ token: "abc" }).expires, 1_050_000);
    assert.equal(read({ token: "abc", expires_in: -5 }).expires, 1_050_000);
  });

  for (const answer of [{}, { token: "" }, { token: 5 }, { token: "two\r\nlines" }]) {
    it(`refuses ${JSON.stringify(answer)}`, () => {
      assert.throws(() => read(answer), WireError);
    });
  }
});
