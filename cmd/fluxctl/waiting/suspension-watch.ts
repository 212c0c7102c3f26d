import { AdvisedError } from "@weir/base";
import { describeSuspensions, type Suspension, suspensionOf } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { suspensionsIn } from "../advice/tell-suspended.ts";
import type { CommandContext } from "../command.ts";

/** How often to ask while waiting, in milliseconds. */
const askEvery = 2_000;

const goingOn = "fluxd applies the commit once syncing is resumed. To resume it: fluxctl resume sync";

/** Rejects with SyncSuspendedError if syncing is suspended. */
export async function refuseSuspended(client: ApiClient, context: CommandContext): Promise<void> {
  const suspension = suspensionOf("sync", await suspensionsIn(client, context));
  if (suspension !== undefined) {
    throw new SyncSuspendedError(suspension);
  }
}

/** What anybody waits for doesn't happen, because syncing is suspended. */
export class SyncSuspendedError extends AdvisedError {
  override readonly name = "SyncSuspendedError";

  constructor(suspension: Suspension) {
    super(describeSuspensions([suspension]).join(""), [goingOn]);
  }
}

/** For whoever waits for a sync: like `refuseSuspended`, but asks the daemon only from time to time. */
export function watchSuspension(client: ApiClient, context: CommandContext): () => Promise<void> {
  let asked = context.clock.now();
  return async () => {
    if (context.clock.now() - asked >= askEvery) {
      await refuseSuspended(client, context);
      asked = context.clock.now();
    }
  };
}
