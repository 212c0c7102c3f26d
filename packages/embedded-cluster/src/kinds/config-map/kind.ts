import { faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { configKey } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";
import { bytesOf, checkImmutable, checkKeys, keys, maxBytes } from "./keys.ts";

/** ConfigMaps. */
export const configMap: Kind = {
  bucket: "configmaps",
  rules: {
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
  },
  cells: (object, now) => [
    nameOf(object),
    keys(object, "data") + keys(object, "binaryData"),
    ageOf(object, now),
  ],
};
