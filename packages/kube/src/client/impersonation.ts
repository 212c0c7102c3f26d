import { isJsonArray, isJsonObject, type JsonObject } from "@weir/base";
import type { RequestHeaders } from "../rest/credentials.ts";
import { textOf } from "./kube-config-file.ts";

/** The headers by which a kubeconfig's user acts as another: its fields as, as-uid, as-groups, as-user-extra. */
export function impersonationHeaders(user: JsonObject): RequestHeaders {
  const headers: Record<string, string | string[]> = {};
  const name = textOf(user["as"]) ?? "";
  const uid = textOf(user["as-uid"]) ?? "";
  const groups = textsOf(user["as-groups"]);
  if (name !== "") {
    headers["Impersonate-User"] = name;
  }
  if (uid !== "") {
    headers["Impersonate-Uid"] = uid;
  }
  if (groups.length > 0) {
    headers["Impersonate-Group"] = groups;
  }
  const extra = user["as-user-extra"];
  for (const [key, values] of Object.entries(isJsonObject(extra) ? extra : {})) {
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = textsOf(values);
  }
  return headers;
}

function textsOf(value: unknown): string[] {
  return isJsonArray(value) ? value.flatMap((item) => textOf(item) ?? []) : [];
}
