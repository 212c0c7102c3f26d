import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printImageRef } from "@weir/flux";
import {
  decodeSource,
  decodeYaml,
  encodeYaml,
  toKubeJson,
  YamlError,
  YamlToJsonError,
} from "@weir/yaml/go-yaml";
import { parseManifests } from "../../src/manifests/parse.ts";
import { readTable } from "../support/parity.ts";

/** What is recorded of a file: its text, or its bytes in base64 where they are no text. */
interface Input {
  readonly id: string;
  readonly input?: string;
  readonly inputB64?: string;
}

interface DocumentsLine extends Input {
  /** Each document, decoded and written again, up to the error. */
  readonly documents: readonly string[];
  readonly error: string | null;
}

interface JsonLine extends Input {
  readonly json?: string;
  readonly error: string | null;
}

interface ManifestsLine extends Input {
  /** By ID; up to the error. */
  readonly manifests: readonly {
    readonly id: string;
    readonly bytes: string;
    readonly policies: Readonly<Record<string, string>>;
    readonly containers: readonly (readonly [name: string, image: string])[] | null;
  }[];
  readonly error: string | null;
}

describe("YAML, as Go's yaml.v2 2.4.0 reads and writes it", () => {
  for (const line of readTable("go-yaml/documents.jsonl") as readonly DocumentsLine[]) {
    it(`${line.id}: ${titleOf(line)}`, () => {
      const documents: string[] = [];
      const error = errorOf(() => {
        for (const { value } of decodeYaml(decodeSource(bytesOf(line)))) {
          documents.push(encodeYaml(value));
        }
      }, YamlError);

      assert.deepEqual(
        { documents, error: withoutTexts(error) },
        { documents: line.documents, error: withoutTexts(line.error) },
      );
    });
  }
});

describe("JSON of a document, as kubectl makes it", () => {
  for (const line of readTable("go-yaml/json.jsonl") as readonly JsonLine[]) {
    it(`${line.id}: ${titleOf(line)}`, () => {
      let json: unknown;
      const error = errorOf(
        () => {
          const { value } = decodeYaml(decodeSource(bytesOf(line))).next();
          json = toKubeJson(value === undefined ? null : value.value);
        },
        YamlError,
        YamlToJsonError,
      );

      assert.equal(withoutTexts(error), withoutTexts(line.error));
      assert.deepEqual(json, line.json === undefined ? undefined : JSON.parse(line.json));
    });
  }
});

describe("manifests, as Flux v1 reads them", () => {
  for (const line of readTable("go-yaml/manifests.jsonl") as readonly ManifestsLine[]) {
    it(`${line.id}: ${titleOf(line)}`, () => {
      const { manifests, error } = parseManifests(decodeSource(bytesOf(line)), "f.yaml");

      assert.equal(withoutTexts(error?.message ?? null), withoutTexts(line.error));
      assert.deepEqual(
        error === undefined
          ? manifests
              .map(({ id, content: { bytes, policies, containers } }) => ({
                id,
                bytes,
                policies,
                containers: containers?.map(({ name, image }) => [name, printImageRef(image)]) ?? null,
              }))
              .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          : [],
        error === undefined ? line.manifests : [],
      );
    });
  }
});

function bytesOf({ input, inputB64 }: Input): Buffer {
  return inputB64 === undefined ? Buffer.from(input ?? "") : Buffer.from(inputB64, "base64");
}

function titleOf({ input, inputB64 }: Input): string {
  return JSON.stringify(input ?? inputB64).slice(0, 60);
}

function errorOf(work: () => void, ...expected: readonly (new (...args: never[]) => Error)[]): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof Error && expected.some((one) => error instanceof one), String(error));
    return error.message;
  }
}

/** Our messages quote nothing of a document, since it may be secret, and name a line instead. */
function withoutTexts(message: string | null): string | null {
  return message === null
    ? null
    : message
        .replace(/ \(line \d+\)$/, "")
        .replace(/(invalid map key: )(map|\[)[^]*/, (_all, before: string, type: string) =>
          before.concat(type === "map" ? "!!map" : "!!seq"),
        )
        .replaceAll(/(!![a-z]+) `[^]*?` (as a !!|into )/g, "$1 $2")
        .replace(/anchor '[^]*' (value|referenced)/, "anchor $1")
        .replace(/(Unsupported map key of type: [^,]*),[^]*/, "$1");
}
