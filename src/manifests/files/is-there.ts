import { lstat } from "node:fs/promises";
import { isMissing } from "@weir/base";

/** True where there is something at a path, be it a link that leads nowhere. Rejects where that cannot be told. */
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
