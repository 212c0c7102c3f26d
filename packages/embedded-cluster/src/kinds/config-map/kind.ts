import { faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { configKey } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";
import { bytesOf, checkImmutable, checkKeys, keys, maxBytes } from "./keys.ts";

/** The cells of ConfigMaps. */
const configMapCells: Cells = (object, now) => [
  nameOf(object),
  keys(object, "data") + keys(object, "binaryData"),
  ageOf(object, now),
];

/** The rules of ConfigMaps. */
const configMapRules: KindRules = {
  check: (map) => {
    const [data, binary] = [map.at("data"), map.at("binaryData")];
    return faults(
      data.entries.flatMap(([name, value]) => {
        const key = value.holding(name);
        const isTwice = binary.key(name).value !== undefined;
        return faults(
          key.follows(configKey),
          isTwice && key.invalid("duplicate of key present in binaryData"),
        );
      }),
      checkKeys(binary),
      bytesOf(data, "utf8") + bytesOf(binary, "base64") > maxBytes && map.tooLong(maxBytes),
    );
  },
  checkUpdate: (map, old) => checkImmutable(map, old, ["data", "binaryData"]),
};

/** ConfigMaps. */
export const configMap: Kind = { bucket: "configmaps", rules: configMapRules, cells: configMapCells };
