import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { placeholder, stringLiterals } from "../support/string-literals.ts";

const root = join(import.meta.dirname, "../..");

/** The messages that the page is about: its headings in code style. */
const messages = [...read("docs/troubleshooting.md").matchAll(/^### (`+) ?(.*?) ?\1$/gm)].map(
  ([, , message = ""]) => message,
);

/** The product code, in which each message must be. */
const sources = globSync(
  ["src/**/*.ts", "cmd/**/*.{ts,tsx}", "hub/{cmd,src}/**/*.ts", "packages/*/src/**/*.ts"],
  { cwd: root },
).map(read);

describe("docs/troubleshooting.md", () => {
  it("is about at least thirty messages, each with cause, check, and remedy", () => {
    const entries = read("docs/troubleshooting.md")
      .split(/^#{2,3} /m)
      .filter((entry) => entry.startsWith("`"));

    const complete = entries.filter((entry) =>
      /^- \*\*Cause:\*\* .*^- \*\*Check:\*\* .*^- \*\*Remedy:\*\* /ms.test(entry),
    );

    assert.ok(messages.length >= 30, `${messages.length} messages`);
    assert.equal(complete.length, messages.length);
    assert.equal(new Set(messages).size, messages.length);
  });

  for (const message of messages) {
    it(`is about a message that exists: ${message}`, () => {
      const known = sources.filter((source) => mayContain(source, message)).flatMap(stringLiterals);

      assert.ok(
        known.some((literal) => literal.includes(trim(message))),
        `no string in the code contains it`,
      );
    });
  }
});

/** What the headings show of a message before and after its known words isn't part of a literal. */
function trim(message: string): string {
  return message.replace(new RegExp(`^${placeholder} |\\s*${placeholder}$`, "g"), "");
}

/** Parsing takes long: rules out files that lack a word of the message. */
function mayContain(source: string, message: string): boolean {
  return (message.match(/\w+/g) ?? []).every((word) => source.includes(word));
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
