import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { type AwsProfile, AwsProfileError, findProfile, findRegion } from "../../../src/aws/profile.ts";
import { parseSharedFile } from "../../../src/aws/shared-file.ts";

function find(name: string, ...texts: readonly string[]): AwsProfile | undefined {
  return findProfile(
    name,
    texts.map((text) => parseSharedFile(dedent(text))),
  );
}

const role = { arn: "arn:aws:iam::1:role/r", sessionName: "", externalId: "", duration: 0 };
const keysOf = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: "s", sessionToken: "" });

describe("a shared file of AWS", () => {
  it("has sections with settings, comments, quotes and settings within settings", () => {
    const text = dedent(`
      stray = 1
      # a comment
      [default]
      Region=eu-west-1   # where we are
      output = "json"
      s3 =
        region = nested
      [profile "two words"]
          region = a;b
          role_arn = c = d
      [default]
      later = yes
      nonsense
    `);

    const sections = [...parseSharedFile(text)].map(([name, settings]) => [
      name,
      Object.fromEntries(settings),
    ]);

    assert.deepEqual(Object.fromEntries(sections), {
      default: { region: "eu-west-1", output: "json", s3: "", later: "yes" },
      "profile two words": { region: "a;b", role_arn: "c = d" },
    });
  });
});

describe("a profile of AWS", () => {
  it("has the keys of the last file that has both halves", () => {
    const config = "[profile p]\naws_access_key_id = A\naws_secret_access_key = s\nregion = r";
    const credentials = "[p]\naws_access_key_id = B";

    assert.deepEqual(find("p", config, credentials), { source: { kind: "keys", keys: keysOf("A") } });
    assert.deepEqual(find("p", config, `${credentials}\naws_secret_access_key = s`), {
      source: { kind: "keys", keys: keysOf("B") },
    });
    assert.equal(find("q", config, credentials), undefined);
    assert.equal(findRegion("p", [parseSharedFile(config)]), "r");
  });

  it("has a role with the keys of another profile, over several steps", () => {
    const text = `
      [a]
      role_arn = arn:aws:iam::1:role/r
      source_profile = b
      [b]
      role_arn = arn:aws:iam::1:role/r
      source_profile = c
      [c]
      aws_access_key_id = C
      aws_secret_access_key = s
    `;

    const c: AwsProfile = { source: { kind: "keys", keys: keysOf("C") } };
    const b: AwsProfile = { source: { kind: "profile", profile: c }, role };
    assert.deepEqual(find("a", text), { source: { kind: "profile", profile: b }, role });
  });

  it("may be its own source", () => {
    const text = `
      [a]
      role_arn = arn:aws:iam::1:role/r
      source_profile = a
      aws_access_key_id = A
      aws_secret_access_key = s
    `;

    const profile: AwsProfile = { source: { kind: "keys", keys: keysOf("A") } };
    assert.deepEqual(find("a", text), { source: { kind: "profile", profile }, role });
  });

  it("takes a role on with a token, or with what the machine has", () => {
    const arn = "role_arn = arn:aws:iam::1:role/r";

    assert.deepEqual(find("a", `[a]\n${arn}\nweb_identity_token_file = /t`), {
      source: { kind: "web-identity", tokenFile: "/t", role },
    });
    assert.deepEqual(find("a", `[a]\n${arn}\ncredential_source = EcsContainer`), {
      source: { kind: "surroundings" },
      role,
    });
    assert.deepEqual(find("a", `[a]\n${arn}\ncredential_source = Environment`), {
      source: { kind: "environment", profile: "a" },
      role,
    });
    assert.deepEqual(find("a", "[a]\nregion = r"), { source: { kind: "none" } });
  });

  for (const [what, text, message] of [
    [
      "names two sources",
      "role_arn = r\nsource_profile = b\ncredential_source = x",
      /source_profile and .* are set; keep only one of them/,
    ],
    ["has a source and no role", "source_profile = b", /source_profile is set but role_arn isn't/],
    [
      "names a source that is not there",
      "role_arn = r\nsource_profile = b",
      /source_profile b doesn't exist/,
    ],
    [
      "names a source that has nothing",
      "role_arn = r\nsource_profile = e\n[e]\nx = 1",
      /e has no credentials/,
    ],
    [
      "goes in a circle",
      "role_arn = r\nsource_profile = b\n[b]\nrole_arn = r\nsource_profile = a",
      /has no credentials/,
    ],
    ["wants a code", "role_arn = r\nmfa_serial = m\nsource_profile = a", /mfa_serial/],
    ["wants a login", "sso_start_url = https://x", /sso_start_url isn't supported/],
    [
      "names a source that there is none of",
      "role_arn = r\ncredential_source = Moon",
      /unknown credential_source Moon; use Environment,/,
    ],
  ] as const) {
    it(`is an error that names it where it ${what}`, () => {
      assert.throws(
        () => find("a", `[a]\n${text}`),
        (error) => {
          assert.ok(error instanceof AwsProfileError);
          assert.match(error.message, message);
          assert.match(error.message, /^AWS profile [ab]: /);
          return true;
        },
      );
    });
  }
});
