import { SopsError } from "../errors.ts";
import { Branch } from "../tree.ts";

/** The content of a binary file, which is encrypted as the only value of a JSON object. */
export function writeBinary([branch = new Branch([])]: readonly Branch[]): Uint8Array {
  const data = branch.get("data");
  if (typeof data === "string") {
    return Buffer.from(data);
  }
  if (!(data instanceof Uint8Array)) {
    throw new SopsError("error emitting binary store: no binary data found in tree");
  }
  return data;
}
