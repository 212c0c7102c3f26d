import type { Deed, OperationContext } from "./context.ts";
import { createObject } from "./create.ts";
import { OperationError } from "./operation-error.ts";
import type { KnownSubject } from "./races.ts";
import type { WriteOptions } from "./write.ts";

const fieldManager = "kubectl-create";

/** Creates an object if there is none; one that exists is left as it is. Rejects with OperationError. */
export async function createMissing(
  context: OperationContext,
  { known, ...subject }: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  if (known?.live !== undefined) {
    return { change: "unchanged", live: known.live };
  }
  try {
    return await createObject(context, subject, { ...options, fieldManager });
  } catch (error) {
    if (error instanceof OperationError && error.reason === "AlreadyExists") {
      return { change: "unchanged" };
    }
    throw error;
  }
}
