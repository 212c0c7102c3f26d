import { isJsonArray, isJsonObject } from "@weir/base";
import { parseJsonObject, textIn } from "@weir/http";

/** One error in a response, such as MANIFEST_UNKNOWN with "manifest unknown". */
export interface WireFault {
  readonly code: string;
  readonly message: string;
}

/** Errors end up in logs and in front of users, so they're kept short. */
const longest = 200;
const most = 3;

/** The errors in a response, shortened; none if the response doesn't have the format of registries. */
export function parseFaults(bytes: Uint8Array): readonly WireFault[] {
  try {
    const errors = parseJsonObject(bytes, "the error")["errors"];
    const objects = isJsonArray(errors) ? errors.filter(isJsonObject) : [];
    return objects.slice(0, most).map((each) => ({
      code: textIn(each, "code").toUpperCase().slice(0, longest),
      message: textIn(each, "message").slice(0, longest),
    }));
  } catch {
    return [];
  }
}
