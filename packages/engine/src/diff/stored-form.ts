import {
  deleteMember,
  draftOf,
  isJsonObject,
  type JsonObject,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import { groupOf, type KubeObject } from "@weir/kube";
import { asJson } from "./as-json.ts";
import { fillDefault } from "./fill-default.ts";
import { defaultsOf } from "./server-defaults.ts";

/**
 * The target as the API server stores it, limited to parts that would otherwise look different: with defaults
 * in the parts that a patch replaces as a whole, and with a Secret's `stringData` moved to `data`. Returns
 * the same object if nothing needs to change.
 */
export function storedForm(target: KubeObject): JsonObject {
  const kind = `${groupOf(target.apiVersion)}/${target.kind}`;
  const object = kind === "/Secret" ? withoutStringData(asJson(target)) : asJson(target);
  return defaultsOf(kind).reduce(fillDefault, object);
}

/** `stringData` is write-only: the API server moves it to `data`, where it takes precedence. */
function withoutStringData(secret: JsonObject): JsonObject {
  const values = memberOf(secret, "stringData");
  if (values === undefined || !isJsonObject(values)) {
    return secret;
  }
  const data = memberOf(secret, "data") ?? {};
  const encoded = isJsonObject(data) ? draftOf(data) : {};
  for (const [key, value] of membersOf(values)) {
    setMember(encoded, key, typeof value === "string" ? Buffer.from(value).toString("base64") : value);
  }
  const stored = draftOf(secret);
  deleteMember(stored, "stringData");
  setMember(stored, "data", encoded);
  return stored;
}
