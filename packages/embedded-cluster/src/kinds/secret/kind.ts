import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import { keys } from "../config-map/keys.ts";
import type { Defaults, Kind } from "../kind.ts";
import { secretRules } from "./rules.ts";

/** The defaults of Secrets. */
const secretDefaults: Defaults = {
  "io.k8s.api.core.v1.Secret": defaultSecret,
};

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

/** The cells of Secrets. */
const secretCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "type"),
  keys(object, "data"),
  ageOf(object, now),
];

/** Secrets. */
export const secret: Kind = {
  bucket: "secrets",
  rules: secretRules,
  defaults: secretDefaults,
  cells: secretCells,
};
