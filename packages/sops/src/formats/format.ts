import type { Steps } from "@weir/yaml/go-yaml";
import type { Branch, EncryptedTree } from "../tree.ts";
import { writeBinary } from "./binary.ts";
import { readEnv, writeEnv } from "./env.ts";
import { readIni } from "./ini-reader.ts";
import { writeIni } from "./ini-writer.ts";
import { readJson } from "./json-reader.ts";
import { writeJson } from "./json-writer.ts";
import { readYaml } from "./yaml-reader.ts";
import { writeYaml } from "./yaml-writer.ts";

/** The formats of files that sops encrypts. A binary file is anything else, encrypted as a whole. */
export type Format = "yaml" | "json" | "env" | "ini" | "binary";

/** How to read and write files in a format. */
interface Codec {
  /** Throws SopsError if the file isn't in this format or isn't encrypted. */
  readonly read: (bytes: Uint8Array) => Steps<EncryptedTree>;
  readonly write: (branches: readonly Branch[]) => Uint8Array;
}

/** The ways to read and write each format. */
export const codecs: Readonly<Record<Format, Codec>> = {
  yaml: { read: readYaml, write: (branches) => Buffer.from(writeYaml(branches)) },
  json: { read: atOnce(readJson), write: (branches) => Buffer.from(writeJson(branches)) },
  env: { read: atOnce(readEnv), write: writeEnv },
  ini: { read: atOnce(readIni), write: (branches) => Buffer.from(writeIni(branches)) },
  binary: { read: atOnce(readJson), write: writeBinary },
};

function atOnce(read: (bytes: Uint8Array) => EncryptedTree): Codec["read"] {
  // biome-ignore lint/correctness/useYield: one step is enough for formats that are parsed quickly
  return function* (bytes) {
    return read(bytes);
  };
}
