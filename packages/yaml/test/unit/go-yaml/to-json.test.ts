import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { decodeYaml } from "../../../src/go-yaml/decode.ts";
import { checkSource } from "../../../src/go-yaml/source-text.ts";
import { toKubeJson } from "../../../src/go-yaml/to-json.ts";

describe("toKubeJson", () => {
  it("makes texts of keys that are numbers or booleans", () => {
    assert.deepEqual(jsonOf("{1: a, 2.5: b, true: c, no: d, 1e6: e, -3: f}"), {
      "1": "a",
      "2.5": "b",
      true: "c",
      false: "d",
      "1e+06": "e",
      "-3": "f",
    });
  });

  it("keeps numbers and texts of times", () => {
    assert.deepEqual(jsonOf("[1.0, 1e3, 2001-01-01, 18446744073709551615]"), [
      1,
      1000,
      "2001-01-01",
      18446744073709552000,
    ]);
  });

  const refused: readonly (readonly [text: string, message: string])[] = [
    ["{~: a}", "Unsupported map key of type: %!s(<nil>)"],
    ["{18446744073709551615: 1}", "Unsupported map key of type: uint64"],
    ["a: [.nan]", "json: unsupported value: NaN"],
    ["a: -.inf", "json: unsupported value: -Inf"],
    ["[".repeat(600) + "]".repeat(600), "nested deeper than 500 levels"],
  ];
  for (const [text, message] of refused) {
    it(`has no form for ${text.slice(0, 30)}`, () => {
      assert.throws(() => jsonOf(text), { name: "YamlToJsonError", message });
    });
  }
});

function jsonOf(text: string): JsonValue {
  const { value } = decodeYaml(checkSource(text)).next();
  assert.ok(value !== undefined);
  return toKubeJson(value.value);
}
