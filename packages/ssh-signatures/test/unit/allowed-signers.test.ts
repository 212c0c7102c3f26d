import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllowedSigners } from "../../src/index.ts";
import { SoftwareKey } from "../support/software-key.ts";

const key = new SoftwareKey("ed25519").publicKey;
const [type = "", base64 = ""] = key.split(" ");

describe("parseAllowedSigners", () => {
  it("reads principals and options, and counts lines", () => {
    const { signers, problems } = parse(
      `# team\n\ndev,*@example.com cert-authority,namespaces="git,a\\"b",valid-after="20240101Z",valid-before="2025010112Z" ${key}`,
      `"a b" ${key} a comment`,
    );

    assert.deepEqual(problems, [
      {
        line: 3,
        remedy:
          'write valid-before as "20241231", "202412312359", or "20241231235959", with Z after it for UTC',
      },
    ]);
    assert.deepEqual(
      signers.map(({ line, principals, options }) => ({ line, principals, options })),
      [
        {
          line: 4,
          principals: "a b",
          options: {
            certAuthority: false,
            namespaces: undefined,
            validAfter: undefined,
            validBefore: undefined,
          },
        },
      ],
    );
  });

  it("reads options in any order and in upper case", () => {
    const { signers } = parse(
      `dev Valid-Before="20250101Z",NAMESPACES="git",Cert-Authority,valid-after="20240101Z" ${key}`,
    );

    assert.deepEqual(signers[0]?.options, {
      certAuthority: true,
      namespaces: "git",
      validAfter: Date.UTC(2024, 0, 1) / 1000,
      validBefore: Date.UTC(2025, 0, 1) / 1000,
    });
  });

  it("reads certificates", () => {
    const authority = new SoftwareKey("ecdsa");
    const certificate = new SoftwareKey("rsa").certify(authority, {
      principals: ["dev"],
      validAfter: 1,
      validBefore: 2,
    });

    const { signers } = parse(`dev ${certificate}`);

    assert.deepEqual(signers[0]?.key.certificate?.principals, ["dev"]);
  });

  const remedies: readonly (readonly [line: string, remedy: string])[] = [
    ["dev", "write the principals, then options if there are any, the type of key, and the key"],
    [`"dev ${key}`, "write the principals, then options if there are any, the type of key, and the key"],
    [`dev ${base64}`, "after the principals and options, write a type of key and a key, as in a .pub file"],
    [
      `dev ssh-dss ${base64}`,
      "after the principals and options, write a type of key and a key, as in a .pub file",
    ],
    [`dev ${type} ${base64.slice(1)}`, "copy the key again from its .pub file: the base64 text is damaged"],
    [`dev ${type} ${base64.slice(0, -4)}`, "copy the key again from its .pub file: it ends too early"],
    [`dev ssh-rsa ${base64}`, "the key is of another type than the one before it"],
    [`dev namespaces="git ${key}`, "close the double quotes in its options"],
    [`dev namespaces=git ${key}`, "write the value of namespaces in double quotes"],
    [`dev namespaces="a",namespaces="b" ${key}`, "keep only one namespaces"],
    [`dev cert-authority, ${key}`, "remove the comma after the last option"],
    [`dev restrict ${key}`, "the only options are cert-authority, namespaces, valid-after, and valid-before"],
    [`dev valid-after="2024",valid-before="2023" ${key}`, times("valid-after")],
    [`dev valid-before="soon" ${key}`, times("valid-before")],
    [
      `dev valid-after="20240101",valid-before="20230101" ${key}`,
      "valid-before must be later than valid-after",
    ],
  ];
  for (const [line, remedy] of remedies) {
    it(`says what to do about ${line.replaceAll(base64, "KEY")}`, () => {
      assert.deepEqual(parse(line, `ops ${key}`).problems, [{ line: 1, remedy }]);
    });
  }

  it("doesn't quote a private key that is in the file by mistake", () => {
    const file = new SoftwareKey("ed25519").openSsh;

    const { signers, problems } = parse(file);

    assert.equal(signers.length, 0);
    assert.ok(problems.length > 0);
    const words = file.split(/\s+/).filter((word) => word.length > 10);
    assert.ok(!words.some((word) => JSON.stringify(problems).includes(word)));
  });
});

function times(option: string): string {
  return `write ${option} as "20241231", "202412312359", or "20241231235959", with Z after it for UTC`;
}

function parse(...lines: readonly string[]): ReturnType<typeof parseAllowedSigners> {
  return parseAllowedSigners(Buffer.from(lines.join("\n")));
}
