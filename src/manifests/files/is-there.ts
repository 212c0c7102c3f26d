import { lstat } from "node:fs/promises";
import { isMissing } from "@weir/base";

/** True if something exists at a path, even a broken link. Rejects if that can't be determined. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) {
      return false;
    }
    throw error;
  }
}
