import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import { keys } from "../config-map/keys.ts";
import type { Kind } from "../kind.ts";
import { secretRules } from "./rules.ts";

/** stringData is write-only: it goes into data, encoded, over what is there. */
function defaultSecret(secret: Tree): void {
  setDefault(secret, "type", "Opaque");
  const texts = treeAt(secret, "stringData");
  if (texts !== undefined) {
    const data = ensureTree(secret, "data");
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === "string") {
        data[key] = Buffer.from(text).toString("base64");
      }
    }
    Reflect.deleteProperty(secret, "stringData");
  }
}

/** Secrets. */
export const secret: Kind = {
  bucket: "secrets",
  rules: secretRules,
  defaults: {
    "io.k8s.api.core.v1.Secret": defaultSecret,
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "type"),
    keys(object, "data"),
    ageOf(object, now),
  ],
};
