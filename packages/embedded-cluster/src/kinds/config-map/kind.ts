import { type FieldError, faults, invalid, tooLong } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { stringMapAt, type Tree, treeAt } from "../../tree.ts";
import { configKey } from "../../validate/text-rules.ts";
import { checkText } from "../../validate/tree-checks.ts";
import type { Kind } from "../kind.ts";
import { checkImmutable, checkKeys, encodedBytes, keys, maxBytes } from "./keys.ts";

/** The cells of ConfigMaps. */
const configMapCells: Cells = (object, now) => [
  nameOf(object),
  keys(object, "data") + keys(object, "binaryData"),
  ageOf(object, now),
];

/** The rules of ConfigMaps. */
const configMapRules: KindRules = {
  check: ({ tree: map }) => {
    const binary = treeAt(map, "binaryData") ?? {};
    const twice = (key: string): FieldError[] =>
      Object.hasOwn(binary, key)
        ? [invalid(`data[${key}]`, key, "duplicate of key present in binaryData")]
        : [];
    const size = textBytes(map, "data") + encodedBytes(map, "binaryData");
    return faults(
      [...stringMapAt(map, "data").keys()].flatMap((key) => [
        ...checkText(`data[${key}]`, key, configKey),
        ...twice(key),
      ]),
      checkKeys(map, "binaryData"),
      size > maxBytes && tooLong("", maxBytes),
    );
  },
  checkUpdate: ({ tree: map }, { tree: old }) => checkImmutable(map, old, ["data", "binaryData"]),
};

function textBytes(object: Tree, field: string): number {
  return [...stringMapAt(object, field).values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** ConfigMaps. */
export const configMap: Kind = { bucket: "configmaps", rules: configMapRules, cells: configMapCells };
