import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";

/** What a kubeconfig lists. */
export type EntrySort = "cluster" | "user" | "context";

type FieldType = "text" | "switch" | "base64" | "list" | "mapping";

/** The types of the fields that count. Others are ignored, as in client-go. */
const fieldTypes: Readonly<Record<EntrySort, Readonly<Record<string, FieldType>>>> = {
  cluster: {
    server: "text",
    "tls-server-name": "text",
    "insecure-skip-tls-verify": "switch",
    "certificate-authority": "text",
    "certificate-authority-data": "base64",
    "proxy-url": "text",
  },
  user: {
    "client-certificate": "text",
    "client-certificate-data": "base64",
    "client-key": "text",
    "client-key-data": "base64",
    token: "text",
    tokenFile: "text",
    username: "text",
    password: "text",
    as: "text",
    "as-uid": "text",
    "as-groups": "list",
    "as-user-extra": "mapping",
    exec: "mapping",
    "auth-provider": "mapping",
  },
  context: { cluster: "text", user: "text", namespace: "text" },
};

const types: Readonly<
  Record<FieldType, { readonly fits: (value: JsonValue) => boolean; readonly remedy: string }>
> = {
  text: { fits: (value) => typeof value === "string", remedy: "must be text; put quotes around the value" },
  switch: { fits: (value) => typeof value === "boolean", remedy: "must be true or false, without quotes" },
  base64: { fits: isBase64, remedy: "must be base64" },
  list: {
    fits: (value) => isJsonArray(value) && value.every((item) => typeof item === "string"),
    remedy: "must be a list of texts",
  },
  mapping: { fits: isJsonObject, remedy: "must be a mapping" },
};

/** The first field of a wrong type and what it must be; the value isn't quoted. Undefined if all are right. */
export function problemOfFields(entry: JsonObject, sort: EntrySort): string | undefined {
  for (const [field, type] of Object.entries(fieldTypes[sort])) {
    const value = entry[field] ?? null;
    const { fits, remedy } = types[type];
    if (value !== null && !fits(value)) {
      return `${field} ${remedy}`;
    }
  }
  return undefined;
}

/** As Go's decoder, which skips line breaks and accepts nothing else. */
function isBase64(value: JsonValue): boolean {
  return (
    typeof value === "string" &&
    /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(value.replaceAll(/[\r\n]/g, ""))
  );
}
