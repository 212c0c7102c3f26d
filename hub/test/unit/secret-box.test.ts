import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseSecretKeys, SecretBox, SecretBoxError } from "../../src/secret-box/secret-box.ts";

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe("SecretBox", () => {
  it("opens what it sealed", () => {
    const box = new SecretBox([one]);

    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, owner) => {
        assert.equal(box.open(box.seal(secret, owner), owner), secret);
      }),
    );
  });

  it("seals the same secret differently each time, and shows nothing of it", () => {
    const box = new SecretBox([one]);

    const sealed = [box.seal("hunter2-hunter2", "a"), box.seal("hunter2-hunter2", "a")];

    assert.notEqual(sealed[0], sealed[1]);
    assert.ok(!sealed.join().includes("hunter2"));
  });

  it("opens nothing that was changed anywhere", () => {
    const box = new SecretBox([one]);
    const sealed = box.seal("secret", "channel:1");

    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === "A" ? "B" : "A";
      const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
      // The last character of base64 has bits that mean nothing.
      if (
        Buffer.from(changed.slice(12), "base64url").equals(Buffer.from(sealed.slice(12), "base64url")) &&
        at > 12
      ) {
        continue;
      }
      assert.throws(() => box.open(changed, "channel:1"), SecretBoxError, `at ${at}`);
    }
  });

  it("opens nothing for another owner, and nothing without the key", () => {
    const sealed = new SecretBox([one]).seal("secret", "channel:1");

    assert.throws(() => new SecretBox([one]).open(sealed, "channel:2"), SecretBoxError);
    assert.throws(() => new SecretBox([two]).open(sealed, "channel:1"), SecretBoxError);
    assert.throws(() => new SecretBox([one]).open("", "channel:1"), SecretBoxError);
  });

  it("opens what an earlier key sealed, and says that it should be sealed again", () => {
    const sealed = new SecretBox([one]).seal("secret", "channel:1");

    const box = new SecretBox([two, one]);

    assert.equal(box.open(sealed, "channel:1"), "secret");
    assert.equal(box.isOutdated(sealed), true);
    assert.equal(box.isOutdated(box.seal("secret", "channel:1")), false);
  });

  it("refuses keys of other lengths", () => {
    assert.throws(() => new SecretBox([Buffer.alloc(16)]), SecretBoxError);
  });
});

describe("parseSecretKeys", () => {
  it("reads a key from each line", () => {
    const text = `# made in May\n${two.toString("base64")}\n\n  ${one.toString("base64")}  \n`;

    assert.deepEqual(parseSecretKeys(text), [two, one]);
  });

  for (const [title, text] of [
    ["an empty file", "\n# only a comment\n"],
    ["a short key", Buffer.alloc(31).toString("base64")],
    ["a password", "correct horse battery staple"],
    ["a key in hex", one.toString("hex")],
  ] as const) {
    it(`refuses ${title}, and doesn't repeat it`, () => {
      assert.throws(
        () => parseSecretKeys(text),
        (error: unknown) =>
          error instanceof SecretBoxError && (text.startsWith("\n") || !error.message.includes(text)),
      );
    });
  }
});
