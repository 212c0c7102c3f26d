import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Lab } from "../support/lab.ts";

type Row = readonly [name: string, allowed: string, verdict: string, at?: number];

/** 2024-07-01 12:00:00 UTC. */
const july = 1_719_835_200;

describe("verifySshSignature reads allowed signers as git and ssh-keygen do:", () => {
  const lab = new Lab();
  const key = lab.createKey("key", "-t", "ed25519");
  const other = lab.createKey("other", "-t", "ed25519");
  const rsa = lab.createKey("rsa", "-t", "rsa", "-b", "1024");
  const [type = "", base64 = ""] = key.split(" ");
  const [, rsaBase64 = ""] = rsa.split(" ");

  const signatures = new Map<number | undefined, Promise<string>>();
  after(() => lab[Symbol.dispose]());

  /** The key's signature of the commit with a certain time. */
  function signatureAt(at: number | undefined): Promise<string> {
    const signature = signatures.get(at) ?? lab.sign("key", at === undefined ? {} : { at });
    signatures.set(at, signature);
    return signature;
  }

  describe("principals", { concurrency: 4 }, () => {
    check([
      ["one", `dev@example.com ${key}`, "G dev@example.com"],
      ["several", `dev@example.com,ops@example.com ${key}`, "G dev@example.com"],
      ["a pattern", `*@example.com ${key}`, "G *@example.com"],
      ["a pattern for one character", `d?v ${key}`, "G d?v"],
      ["a negated pattern before another", `!evil@example.com,*@example.com ${key}`, "G !evil@example.com"],
      ["a negated pattern alone", `!evil@example.com ${key}`, "B"],
      ["a negated pattern that excludes the first", `dev,!d* ${key}`, "B"],
      ["a first one that is excluded, and one that isn't", `dev,!d*,ops ${key}`, "G ops"],
      ["an empty one at the start", `,dev ${key}`, "U"],
      ["an empty one in the middle", `dev,,ops ${key}`, "G dev"],
      ["an empty one at the end", `dev, ${key}`, "G dev"],
      ["with spaces, in quotes", `"Dev Eloper" ${key}`, "G Dev Eloper"],
      ["with the word with", `"dev with key SHA256:x" ${key}`, "G dev with key SHA256:x"],
      ["with quotes around the end", `dev"@example.com, ops" ${key}`, "G dev@example.com"],
      ["with quotes and no space after them", `"dev"${key}`, "G dev"],
      ["quotes that don't close", `"dev ${key}`, "U"],
      ["empty quotes", `"" ${key}`, "U"],
      ["in UTF-8", `zoë@example.com ${key}`, "G zoë@example.com"],
      ["a question mark for one byte in UTF-8", `z?,zo? ${key}`, "G z?"],
      ["with a carriage return, in quotes", `"dev\r" ${key}`, "B"],
      ["of 1,022 characters", `${"d".repeat(1022)} ${key}`, `G ${"d".repeat(1022)}`],
      ["of 1,023 characters", `${"d".repeat(1023)} ${key}`, "B"],
    ]);
  });

  describe("lines", { concurrency: 4 }, () => {
    check([
      ["none", "", "U"],
      ["another key", `dev ${other}`, "U"],
      ["another key first", `dev ${other}\ndev ${key}\n`, "G dev"],
      ["comments and empty lines", `# dev ${other}\n\n  # more\n \t \ndev ${key}\n`, "G dev"],
      ["white space", ` \tdev\t \t${type}\t${base64}  \t comment\t`, "G dev"],
      ["line breaks of Windows", `# signers\r\n\r\ndev ${other}\r\ndev ${key}\r\n`, "G dev"],
      ["a comment after the key", `dev ${key} dev's laptop "\n`, "G dev"],
      ["a NUL before the key", `dev \0${key}\ndev2 ${key}`, "G dev2"],
      ["a NUL after the key", `dev ${key}\0 more`, "G dev"],
      ["only principals", `dev\nops ${key}`, "G ops"],
      ["only principals and options", `dev namespaces="git"\nops ${key}`, "G ops"],
      ["no key after its type", `dev ${type}\nops ${key}`, "G ops"],
      ["an unknown type of key", `dev ssh-unknown ${base64}\nops ${key}`, "G ops"],
      ["the short name of a type", `dev ed25519 ${base64}\nops ${key}`, "G ops"],
      ["another type of key", `dev ssh-rsa ${base64}\nops ${key}`, "G ops"],
      ["an algorithm of RSA as the type of another key", `dev rsa-sha2-512 ${base64}\nops ${key}`, "G ops"],
      ["a damaged key", `dev ${key.slice(0, -8)}\nops ${key}`, "G ops"],
      ["characters after the key", `dev ${key}!\nops ${key}`, "G ops"],
      ["base64 with wrong padding", `dev ${key}=\nops ${key}`, "G ops"],
      ["a private key", `${lab.readFile("key").toString("latin1")}\nops ${key}`, "G ops"],
      ["the key twice, first expired", `dev valid-before="2010" ${key}\nops ${key}`, "G ops"],
      ["the key twice, both good", `dev ${key}\nops ${key}`, "G dev"],
    ]);

    it("an algorithm of RSA as the type of the key", async () => {
      const allowed = `dev rsa-sha2-512 ${rsaBase64}`;

      assert.equal(await lab.check({ allowed, signature: await lab.sign("rsa") }), "G dev");
    });
  });

  describe("namespaces", { concurrency: 4 }, () => {
    check([
      ["git", `dev namespaces="git" ${key}`, "G dev"],
      ["another", `dev namespaces="file" ${key}`, "B"],
      ["several", `dev namespaces="file,git" ${key}`, "G dev"],
      ["a pattern", `dev namespaces="g*" ${key}`, "G dev"],
      ["a negated pattern", `dev namespaces="*,!git" ${key}`, "B"],
      ["none", `dev namespaces="" ${key}`, "B"],
      ["in upper case", `dev NameSpaces="git" ${key}`, "G dev"],
      ["values in upper case", `dev namespaces="GIT" ${key}`, "B"],
      ["with an escaped quote", `dev namespaces="a\\"b,git" ${key}`, "G dev"],
      ["with a space", `dev namespaces="a b,git" ${key}`, "G dev"],
      ["without quotes", `dev namespaces=git ${key}`, "U"],
      ["with quotes that don't close", `dev namespaces="git ${key}`, "U"],
      ["with an escaped quote at the end", `dev namespaces="git\\" ${key}`, "U"],
      ["twice", `dev namespaces="git",namespaces="git" ${key}`, "U"],
      ["another, and git for the same principal", `dev namespaces="file" ${key}\ndev ${key}`, "G dev"],
      ["another, and git for another principal", `dev namespaces="file" ${key}\nops ${key}`, "B"],
      ["another, and git for one that matches", `dev namespaces="file" ${key}\nd* ${key}`, "G dev"],
    ]);
  });

  describe("options", { concurrency: 4 }, () => {
    check([
      ["an unknown one", `dev no-touch-required ${key}`, "U"],
      ["an unknown one after another", `dev namespaces="git",x ${key}`, "U"],
      ["text after one", `dev namespaces="git"x ${key}`, "U"],
      ["a comma at the end", `dev namespaces="git", ${key}`, "U"],
      ["a comma at the start", `dev ,namespaces="git" ${key}`, "G dev"],
      ["two commas", `dev namespaces="git",,valid-after="20200101" ${key}`, "G dev"],
      ["a space after the comma", `dev namespaces="git", valid-after="20200101" ${key}`, "U"],
      ["cert-authority for a key", `dev cert-authority ${key}`, "U"],
      ["cert-authority for a key, and the key", `dev cert-authority ${key}\nops ${key}`, "G ops"],
      ["an option without a value", `dev valid-after ${key}`, "U"],
    ]);
  });

  describe("times", { concurrency: 4 }, () => {
    check([
      ["valid after an earlier one", `dev valid-after="20200101Z" ${key}`, "G dev"],
      ["valid after a later one", `dev valid-after="20250101Z" ${key}`, "U"],
      ["valid after this second", `dev valid-after="20231114221320Z" ${key}`, "G dev"],
      ["valid after the next second", `dev valid-after="20231114221321Z" ${key}`, "U"],
      ["valid before an earlier one", `dev valid-before="20200101Z" ${key}`, "U"],
      ["valid before a later one", `dev valid-before="20250101Z" ${key}`, "G dev"],
      ["valid before this second", `dev valid-before="20231114221320Z" ${key}`, "G dev"],
      ["valid before the last second", `dev valid-before="20231114221319Z" ${key}`, "U"],
      ["between two", `dev valid-after="20230101Z",valid-before="20240101Z" ${key}`, "G dev"],
      ["between two in the wrong order", `dev valid-after="20240101",valid-before="20230101" ${key}`, "U"],
      ["between one and itself", `dev valid-after="20231114",valid-before="20231114" ${key}`, "U"],
      ["to the minute", `dev valid-before="202311142214Z" ${key}`, "G dev"],
      ["with UTC", `dev valid-after="20231114221321utc" ${key}`, "U"],
      ["in local time", `dev valid-after="20231115034320" ${key}`, "G dev"],
      ["a second too late in local time", `dev valid-after="20231115034321" ${key}`, "U"],
      ["a day in local time", `dev valid-after="20231115" ${key}`, "G dev"],
      ["a day in UTC", `dev valid-after="20231115Z" ${key}`, "U"],
      [
        "a day that doesn't exist",
        `dev valid-before="20240231Z" ${key}`,
        "G dev",
        Date.UTC(2024, 2, 1) / 1000,
      ],
      ["a month that doesn't exist", `dev valid-before="20241301Z" ${key}`, "U"],
      ["an hour that doesn't exist", `dev valid-before="202412012400Z" ${key}`, "U"],
      ["a leap second", `dev valid-before="20231114221360Z" ${key}`, "G dev", 1_700_000_040],
      ["with letters", `dev valid-before="2024o101" ${key}`, "U"],
      ["with dashes", `dev valid-before="2024-01-01" ${key}`, "U"],
      ["none", `dev valid-before="" ${key}`, "U"],
      ["only a zone", `dev valid-before="Z" ${key}`, "U"],
      ["1970", `dev valid-after="19700101Z" ${key}`, "U"],
      ["twice", `dev valid-after="20200101",valid-after="20200101" ${key}`, "U"],
      ["of a commit in the summer", `dev valid-after="20240701173000" ${key}`, "G dev", july],
      ["of a commit at the start of 1970, which is now", `dev valid-after="20200101" ${key}`, "G dev", 0],
      ["of a commit in 1970", `dev valid-after="20200101" ${key}`, "U", 1],
      ["of a commit in 9999", `dev ${key}`, "G dev", 253_402_200_000],
    ]);
  });

  function check(rows: readonly Row[]): void {
    before(() => {
      // Five and a half hours from UTC, without daylight saving time.
      process.env["TZ"] = "Asia/Kolkata";
    });
    for (const [name, allowed, verdict, at] of rows) {
      it(name, async () => {
        const signature = await signatureAt(at);
        assert.equal(await lab.check({ allowed, signature, ...(at === undefined ? {} : { at }) }), verdict);
      });
    }
  }
});
