/** ConfigMaps and Secrets. */

import { type FieldError, forbidden, invalid, required, tooLong } from "../field-errors.ts";
import type { KindRules } from "../resources/kind-rules.ts";
import { scanJson } from "../text/json-scanner.ts";
import { equalNodes, isTrueAt, nodeAt, own, stringAt, stringMapAt, type Tree, treeAt } from "../tree.ts";
import { checkText, checkUnchanged } from "../validate/checks.ts";
import { configKey } from "../validate/text-rules.ts";

const maxBytes = 1024 * 1024;

/** The rules of ConfigMaps. */
export const configMapRules: KindRules = {
  check: (map) => {
    const binary = treeAt(map, "binaryData") ?? {};
    const twice = (key: string): FieldError[] =>
      Object.hasOwn(binary, key)
        ? [invalid(`data[${key}]`, key, "duplicate of key present in binaryData")]
        : [];
    const size = textBytes(map, "data") + encodedBytes(map, "binaryData");
    return [
      ...[...stringMapAt(map, "data").keys()].flatMap((key) => [
        ...checkText(`data[${key}]`, key, configKey),
        ...twice(key),
      ]),
      ...checkKeys(map, "binaryData"),
      ...(size > maxBytes ? [tooLong("", maxBytes)] : []),
    ];
  },
  checkUpdate: (map, old) => checkImmutable(map, old, ["data", "binaryData"]),
};

/** The rules of Secrets. */
export const secretRules: KindRules = {
  check: (secret) => [
    ...checkKeys(secret, "data"),
    ...(encodedBytes(secret, "data") > maxBytes ? [tooLong("data", maxBytes)] : []),
    ...checkType(secret),
  ],
  checkUpdate: (secret, old) => [
    ...checkUnchanged("type", secret["type"], old["type"]),
    ...checkImmutable(secret, old, ["data"]),
  ],
  selectableFields: (secret) => ({ type: stringAt(secret, "type") }),
};

function checkKeys(object: Tree, field: string): FieldError[] {
  return [...stringMapAt(object, field).keys()].flatMap((key) =>
    checkText(`${field}[${key}]`, key, configKey),
  );
}

function textBytes(object: Tree, field: string): number {
  return [...stringMapAt(object, field).values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function encodedBytes(object: Tree, field: string): number {
  return [...stringMapAt(object, field).values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text, "base64"),
    0,
  );
}

function checkImmutable(object: Tree, old: Tree, fields: readonly string[]): FieldError[] {
  if (!isTrueAt(old, "immutable")) {
    return [];
  }
  const why = "field is immutable when `immutable` is set";
  return [
    ...(isTrueAt(object, "immutable") ? [] : [forbidden("immutable", why)]),
    ...fields.flatMap((field) =>
      equalNodes(own(object, field), own(old, field)) ? [] : [forbidden(field, why)],
    ),
  ];
}

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
