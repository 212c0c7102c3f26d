import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { upstreamAccess } from "../../../src/git/upstream-access.ts";

describe("the access to upstream", () => {
  const urls: readonly (readonly [string, string, string | undefined])[] = [
    ["https://bot:s3cret@h/x.git", "https://bot@h/x.git", "bot\ns3cret"],
    ["http://bot:s3cret@h:8080/x", "http://bot@h:8080/x", "bot\ns3cret"],
    ["https://bot:p%40ss%2Fw@h/x", "https://bot@h/x", "bot\np@ss/w"],
    ["https://bot:a:b@h/x", "https://bot@h/x", "bot\na:b"],
    ["https://bot:a@b@h/x", "https://bot@h/x", "bot\na@b"],
    ["https://bot:pass$(x)'\"\\ü@h/x", "https://bot@h/x", "bot\npass$(x)'\"\\ü"],
    ["https://bot:s3cret@[::1]:1/x?y@z", "https://bot@[::1]:1/x?y@z", "bot\ns3cret"],
    ["https://ghp_token:x-oauth-basic@h/x", "https://h/x", "ghp_token\nx-oauth-basic"],
    ["https://ghp_token:@h/x", "https://h/x", "ghp_token\n"],
    ["https://:s3cret@h/x", "https://h/x", "\ns3cret"],
    ["https://bot@h/x", "https://bot@h/x", undefined],
    ["https://h/x:y@z", "https://h/x:y@z", undefined],
    ["ssh://git:x@h/x", "ssh://git:x@h/x", undefined],
    ["git@h:x", "git@h:x", undefined],
    ["/a/path", "/a/path", undefined],
  ];
  for (const [url, expected, credentials] of urls) {
    it(`of ${url} has ${credentials === undefined ? "no credentials" : "them apart from the URL"}`, () => {
      const access = upstreamAccess(url);

      assert.equal(access.url, expected);
      assert.equal(
        Object.keys(access.environment).length > 0 ? spoken(access.environment) : undefined,
        credentials,
      );
    });
  }

  it("is for the scheme, host and port of the URL alone, and has no other helper asked", () => {
    const [reset, ours] = upstreamAccess("https://bot:s3cret@h:1/x").config;

    assert.equal(reset, "credential.https://h:1.helper=");
    assert.match(ours ?? "", /^credential\.https:\/\/h:1\.helper=!/);
    assert.doesNotMatch(ours ?? "", /s3cret|bot/);
  });
});

/** What printf makes of the two variables. */
function spoken(environment: Readonly<Record<string, string>>): string {
  return Object.values(environment)
    .map((value) =>
      Buffer.from(
        value.replace(/\\0([0-7]{3})/g, (_all, octal: string) =>
          String.fromCharCode(Number.parseInt(octal, 8)),
        ),
        "latin1",
      ).toString("utf8"),
    )
    .join("\n");
}
