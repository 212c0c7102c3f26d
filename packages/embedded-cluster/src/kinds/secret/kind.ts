import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { scanJson } from "../../text/json-scanner.ts";
import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { bytesOf, checkImmutable, checkKeys, keys, maxBytes } from "../config-map/keys.ts";
import type { Kind } from "../kind.ts";

/** Secrets of the types that Kubernetes knows have the keys that go with them. */
function checkType(secret: Field): FieldError[] {
  const [type, data] = [secret.at("type").text, secret.at("data")];
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys
      .map((key) => data.key(key))
      .filter(({ value }) => value === undefined)
      .map((field) => field.required());
  switch (type) {
    case "kubernetes.io/service-account-token":
      return secret.at("metadata.annotations").key("kubernetes.io/service-account.name").needs();
    case "kubernetes.io/dockercfg":
      return checkJson(data.key(".dockercfg"));
    case "kubernetes.io/dockerconfigjson":
      return checkJson(data.key(".dockerconfigjson"));
    case "kubernetes.io/basic-auth": {
      const found = missing("username", "password");
      return found.length > 1 ? found : [];
    }
    case "kubernetes.io/ssh-auth":
      return data.key("ssh-privatekey").needs();
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

/** Never shows the text itself: it is secret. */
function checkJson(file: Field): FieldError[] {
  if (file.value === undefined) {
    return [file.required()];
  }
  const { fault } = scanJson(Buffer.from(file.text, "base64").toString());
  return fault === undefined ? [] : [file.invalid(fault, "<secret contents redacted>")];
}

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
  rules: {
    check: (secret) => {
      const data = secret.at("data");
      return faults(
        checkKeys(data),
        bytesOf(data, "base64") > maxBytes && data.tooLong(maxBytes),
        checkType(secret),
      );
    },
    checkUpdate: (secret, old) => [
      ...secret.at("type").unchanged(old.at("type")),
      ...checkImmutable(secret, old, ["data"]),
    ],
    selectableFields: (secret) => ({ type: stringAt(secret, "type") }),
  },
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
