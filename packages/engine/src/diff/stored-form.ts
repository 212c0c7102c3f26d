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
 * The target as the API server stores it, in those parts where it would otherwise look as if there was something
 * to send: with the defaults that stand in what a patch replaces as a whole, and with the text of a Secret among
 * its data. The very same object comes back where all of it stands already.
 */
export function storedForm(target: KubeObject): JsonObject {
  const kind = `${groupOf(target.apiVersion)}/${target.kind}`;
  const object = kind === "/Secret" ? withoutStringData(asJson(target)) : asJson(target);
  return defaultsOf(kind).reduce(fillDefault, object);
}

/** `stringData` can only be written: the API server moves it to `data`, where it wins. */
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
