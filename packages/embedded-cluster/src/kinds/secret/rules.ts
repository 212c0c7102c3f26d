import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { scanJson } from "../../text/json-scanner.ts";
import { stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { bytesOf, checkImmutable, checkKeys, maxBytes } from "../config-map/keys.ts";

/** The rules of Secrets. */
export const secretRules: KindRules = {
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
};

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
