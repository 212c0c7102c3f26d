import type { ResourceId } from "../resource/id.ts";
import type { ResourceError } from "./sync-set.ts";

/** The API server refuses part of a sync, so nothing of it was applied (--sync-preflight). */
export class RefusedSyncError extends Error {
  override readonly name = "RefusedSyncError";
  /** The message without the errors. */
  readonly summary = refusedSync;
  readonly errors: readonly ResourceError[];

  constructor(errors: readonly ResourceError[]) {
    super(`${refusedSync}: ${errors.map(({ id, error }) => `${id}: ${error}`).join("; ")}`);
    this.errors = errors;
  }
}

const refusedSync = "nothing was applied, because some resources would be refused";

/** These resources don't wait until their deletion is confirmed. */
export class NothingToConfirmError extends Error {
  override readonly name = "NothingToConfirmError";
  readonly ids: readonly ResourceId[];

  constructor(ids: readonly ResourceId[]) {
    super(`not waiting until a deletion is confirmed: ${ids.join(", ")}`);
    this.ids = ids;
  }
}
