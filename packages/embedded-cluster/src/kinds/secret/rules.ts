import { type FieldError, faults, invalid, required, tooLong } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { scanJson } from "../../text/json-scanner.ts";
import { nodeAt, stringAt, type Tree } from "../../tree.ts";
import { checkUnchanged } from "../../validate/tree-checks.ts";
import { checkImmutable, checkKeys, encodedBytes, maxBytes } from "../config-map/keys.ts";

/** The rules of Secrets. */
export const secretRules: KindRules = {
  check: ({ tree: secret }) =>
    faults(
      checkKeys(secret, "data"),
      encodedBytes(secret, "data") > maxBytes && tooLong("data", maxBytes),
      checkType(secret),
    ),
  checkUpdate: ({ tree: secret }, { tree: old }) => [
    ...checkUnchanged("type", secret["type"], old["type"]),
    ...checkImmutable(secret, old, ["data"]),
  ],
  selectableFields: (secret) => ({ type: stringAt(secret, "type") }),
};

/** Secrets of the types that Kubernetes knows have the keys that go with them. */
function checkType(secret: Tree): FieldError[] {
  const has = (key: string): boolean => nodeAt(secret, "data", key) !== undefined;
  const need = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !has(key)).map((key) => required(`data[${key}]`));
  switch (stringAt(secret, "type")) {
    case "kubernetes.io/service-account-token": {
      const account = "kubernetes.io/service-account.name";
      return stringAt(secret, "metadata", "annotations", account) === ""
        ? [required(`metadata.annotations[${account}]`)]
        : [];
    }
    case "kubernetes.io/dockercfg":
      return has(".dockercfg") ? checkJson(secret, ".dockercfg") : need(".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return has(".dockerconfigjson") ? checkJson(secret, ".dockerconfigjson") : need(".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return has("username") || has("password") ? [] : need("username", "password");
    case "kubernetes.io/ssh-auth":
      return stringAt(secret, "data", "ssh-privatekey") === "" ? [required("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return need("tls.crt", "tls.key");
    default:
      return [];
  }
}

function checkJson(secret: Tree, key: string): FieldError[] {
  const text = Buffer.from(stringAt(secret, "data", key), "base64").toString();
  const fault = jsonFault(text);
  return fault === undefined ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", fault)];
}

/** Never the text itself: it is secret. */
function jsonFault(text: string): string | undefined {
  return scanJson(text).fault;
}
