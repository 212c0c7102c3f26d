import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { decrypt, SopsError } from "@weir/sops";
import { fc, runs } from "@weir/testing/property";
import { checkSource, decodeYaml } from "@weir/yaml/go-yaml";
import { keysOf, type RecordedFile, recordedFile } from "./recorded-files.ts";

/** Every value of these files is encrypted, so whatever is changed in them can't stay unnoticed. */
const sealed = [
  "everything encrypted",
  "several documents",
  "JSON with PGP",
  "env with PGP",
  "ini with PGP",
  "binary with PGP",
].map(recordedFile);

/** A change at a position between 0 and 1 of the file. */
interface Mutation {
  readonly kind: "flip" | "cut" | "repeat" | "insert" | "move";
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("flip", "cut", "repeat", "insert", "move"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 200 }),
  text: fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      "\n",
      "  ",
      ":",
      "- ",
      "&a ",
      "*a",
      "#",
      "null",
      "ENC[",
      "]",
      "type:int",
      "sops:",
      "0",
      "\\n",
      "[",
      "{",
      "\u0000",
      "é",
    ),
  ),
});

function mutate(text: string, { kind, at, length, text: inserted }: Mutation): string {
  const start = Math.floor(at * text.length);
  const part = text.slice(start, start + length);
  switch (kind) {
    case "flip":
      return text.slice(0, start) + (inserted || "x") + text.slice(start + Math.max(1, inserted.length));
    case "cut":
      return text.slice(0, start) + text.slice(start + length);
    case "repeat":
      return text.slice(0, start) + part + text.slice(start);
    case "insert":
      return text.slice(0, start) + inserted + text.slice(start);
    case "move":
      return part + text.slice(0, start) + text.slice(start + length);
  }
}

/**
 * The values of a decrypted file, sorted. Only these are encrypted: anyone can add or remove comments, and keys without
 * a value.
 */
function valuesOf(bytes: Uint8Array, { format }: RecordedFile): readonly string[] {
  const text = Buffer.from(bytes).toString();
  switch (format) {
    case "yaml":
      return [...decodeYaml(checkSource(text))].flatMap(({ value }) => leavesOf(value)).sort();
    case "json":
      return leavesOf(JSON.parse(text)).sort();
    case "binary":
      return [Buffer.from(bytes).toString("latin1")];
    case "env":
    case "ini":
      return [...text.matchAll(/^[^#;[\n].*?=(.*)$/gm)]
        .flatMap(([, value = ""]) => value.trim() || [])
        .sort();
  }
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).flatMap(leavesOf);
  }
  return value === null || value === "" ? [] : [JSON.stringify(value)];
}

describe("a mutated file", () => {
  it("is refused, or decrypts to what was encrypted", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sealed),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        async (file, mutations) => {
          const text = mutations.reduce(mutate, file.encrypted);

          const decrypted = await decryptedOrRefused(file, text, t.signal);

          assert.ok(decrypted === undefined || isGood(decrypted, file));
        },
      ),
      runs(10_000),
    );
  });
});

/** Undefined if the file is refused with an error of its own; any other error fails the test. */
async function decryptedOrRefused(
  file: RecordedFile,
  text: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await decrypt({ bytes: Buffer.from(text), format: file.format, keys: keysOf(file) }, signal);
  } catch (error) {
    assert.ok(error instanceof SopsError, String(error));
    return undefined;
  }
}

function isGood(decrypted: Uint8Array, file: RecordedFile): boolean {
  const plain = Buffer.from(file.plain ?? "", "base64");
  return isDeepStrictEqual(valuesOf(decrypted, file), valuesOf(plain, file));
}
