import { isJsonArray, isJsonObject } from "@weir/base";
import { parseJsonObject, textIn } from "./parse-json.ts";

/** One error of an answer, e.g. MANIFEST_UNKNOWN with "manifest unknown". */
export interface WireFault {
  readonly code: string;
  readonly message: string;
}

/** An error is told in the log and to users: a few words of a few faults will do. */
const longest = 200;
const most = 3;

/** What an answer says went wrong, in short; nothing where it does not say it in the registries' form. */
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
