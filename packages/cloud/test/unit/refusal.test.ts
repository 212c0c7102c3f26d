import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { describeCloudFailure } from "../../src/refusal.ts";
import { CloudError } from "../../src/request.ts";

const url = new URL("https://example.com/path?key=s3cret");

function described(answer: string, secrets: readonly string[] = []): string {
  return describeCloudFailure(new CloudError(url, { status: 400, answer }), secrets);
}

describe("the description of a refusal", () => {
  const start = "https://example.com/path responded with status 400";

  for (const [service, answer, reason] of [
    ["AWS", '{"__type":"a.b#DeniedException","Message":"No."}', "DeniedException: No."],
    [
      "AWS's older services",
      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>",
      "AccessDenied: No.",
    ],
    ["Google", '{"error":{"code":403,"status":"DENIED","message":"No."}}', "DENIED: No."],
    ["Azure", '{"error":{"code":"Forbidden","message":"No."}}', "Forbidden: No."],
    ["a token endpoint", '{"error":"invalid_grant","error_description":"No."}', "invalid_grant: No."],
    ["Vault", '{"errors":["No.","Never.",5]}', "No., Never."],
  ] as const) {
    it(`has the reason that ${service} gives`, () => {
      assert.equal(described(answer), `${start} (${reason})`);
    });
  }

  it("has no reason where the service gives none", () => {
    for (const answer of ["", "<html>", "[1]", "5", "{}", '{"error":5}', '{"errors":"x"}']) {
      assert.equal(described(answer), start, answer);
    }
  });

  it("has no credentials, and nothing that a terminal interprets", () => {
    const token = `hvs.${"a1".repeat(20)}`;
    const message = `eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln ${token} ${"A9".repeat(30)} my-pin \u001b[2J\n`;
    const answer = JSON.stringify({ errors: [message] });

    assert.equal(described(answer, ["my-pin", ""]), `${start} (… … … … \\u001b[2J)`);
  });

  it("is short, whatever the service sends", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => JSON.stringify({ message: text })),
        ),
        (answer) => {
          const text = described(answer.repeat(50), ["s3cret"]);

          assert.ok(text.startsWith(start) && text.length < 1_000);
          assert.doesNotMatch(text, /s3cret|[\0-\x1f]/);
        },
      ),
    );
  });
});
