import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { dedent } from "@weir/testing";
import { checkSource } from "@weir/yaml/go-yaml";
import fc from "fast-check";
import {
  type ConfigFile,
  ConfigFileError,
  parseConfigFile,
} from "../../../../src/manifests/generate/config-file.ts";

describe("parseConfigFile", () => {
  it("reads commands that generate and commands that update", () => {
    const config = parse(`
      version: 1
      commandUpdated:
        generators:
        - command: kustomize build .
        - {command: cat more.yaml, timeout: 1m30s}
        updaters:
        - containerImage: {command: set-image, timeout: 10s}
          policy: {command: set-policy}
          note: passes, as Flux v1 lets it
        - policy: {command: log-policy}
    `);

    assert.deepEqual(config, {
      kind: "command",
      generators: [
        { command: "kustomize build .", timeout: undefined },
        { command: "cat more.yaml", timeout: 90_000 },
      ],
      updaters: [
        {
          containerImage: { command: "set-image", timeout: 10_000 },
          policy: { command: "set-policy", timeout: undefined },
        },
        { containerImage: undefined, policy: { command: "log-policy", timeout: undefined } },
      ],
    });
  });

  it("reads generators with a patch file, and a limit below a second as none", () => {
    const config = parse(`
      version: 1
      patchUpdated:
        generators: [{command: build, timeout: 999ms}]
        patchFile: overlays/patch.yaml
    `);

    assert.deepEqual(config, {
      kind: "patch",
      generators: [{ command: "build", timeout: undefined }],
      patchFile: "overlays/patch.yaml",
    });
  });

  it("takes scanForFiles beside another section, over that section", () => {
    assert.deepEqual(parse("{version: 1, scanForFiles: {}}"), { kind: "scan" });
    assert.deepEqual(parse("{version: 1, scanForFiles: {}, commandUpdated: {generators: []}}"), {
      kind: "scan",
    });
  });

  const notValid = "config file is not valid: \n";
  const noneFits = `${notValid}(root): Must validate one and only one schema (oneOf)`;
  const wrong: readonly (readonly [text: string, message: string])[] = [
    ["", `${notValid}(root): Invalid type. Expected: object, given: null`],
    ["[]", `${notValid}(root): Invalid type. Expected: object, given: array`],
    ["version: 1", `${noneFits}\n(root): commandUpdated is required`],
    ["{version: 2, scanForFiles: {}}", `${noneFits}\nversion: version does not match: 1`],
    ["scanForFiles: {}", `${noneFits}\n(root): version is required`],
    ["{version: 1, patchUpdated: {generators: []}}", `${noneFits}\npatchUpdated: patchFile is required`],
    [
      "{version: 1, commandUpdated: {generators: []}, patchUpdated: {generators: [], patchFile: p}}",
      noneFits,
    ],
    [
      "{version: 1, commandUpdated: {generators: [], patchFile: p}}",
      `${noneFits}\ncommandUpdated: Additional property patchFile is not allowed`,
    ],
    [
      "{version: 1, commandUpdated: {generators: [{comand: x}]}}",
      `${noneFits}\ncommandUpdated.generators.0: command is required\ncommandUpdated.generators.0: Additional property comand is not allowed`,
    ],
    [
      "{version: 1, commandUpdated: {generators: [{command: x, timeout: 5}]}}",
      `${noneFits}\ncommandUpdated.generators.0.timeout: Invalid type. Expected: string, given: integer`,
    ],
    [
      "{version: 1, commandUpdated: {generators: [{command: x, timeout: soon}]}}",
      'error unmarshaling JSON: time: invalid duration "soon"',
    ],
    [
      "{version: 1, scanForFiles: ~}",
      `${notValid}(root): set one of commandUpdated, patchUpdated, or scanForFiles`,
    ],
    ["{version: 1, commandUpdated: [kustomize]}", `${notValid}commandUpdated: must be a mapping`],
    [
      "a: b: c",
      "cannot parse: error converting YAML to JSON: yaml: mapping values are not allowed in this context",
    ],
  ];
  it("takes whatever there is for a .flux.yaml, or refuses it by that name", () => {
    const words = fc.constantFrom(
      "version",
      "commandUpdated",
      "generators",
      "command",
      "timeout",
      "scanForFiles",
    );
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>(1, 1.5, null, true, "5s", "x"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(words, tie("value"), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        try {
          assert.match(parseConfigFile(checkSource(JSON.stringify(json))).kind, /^(scan|command|patch)$/);
        } catch (error) {
          assert.ok(error instanceof ConfigFileError, String(error));
        }
      }),
    );
  });

  for (const [text, message] of wrong) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parse(text), { name: "ConfigFileError", message });
    });
  }
});

function parse(text: string): ConfigFile {
  return parseConfigFile(checkSource(dedent(text)));
}
