import { Deadline } from "@weir/base";
import { describeSuspensions, type Suspension } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";

/** The time limit for the daemon to say what is suspended, in milliseconds. */
const askFor = 3_000;

/** For a person at a terminal: what is suspended, in one line each. */
export async function tellSuspended(client: ApiClient, context: CommandContext): Promise<void> {
  if (context.errScreen === undefined) {
    return;
  }
  for (const line of describeSuspensions(await suspensionsIn(client, context))) {
    context.err(`${context.errPaint.pending("Note:")} ${line}.\n`);
  }
}

/** What is suspended; nothing if the daemon doesn't respond, or can't suspend anything. */
export async function suspensionsIn(
  client: ApiClient,
  { clock, signal }: CommandContext,
): Promise<readonly Suspension[]> {
  using deadline = new Deadline(clock, askFor, signal);
  try {
    return await client.suspensions(deadline.signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
