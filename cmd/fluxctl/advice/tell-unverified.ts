import { Deadline } from "@weir/base";
import { describeUnverified } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";

/** The time limit for the daemon to say more, in milliseconds. */
const askFor = 3_000;

/**
 * Tells a person at a terminal which commit isn't verified, whose it is, and why. Scripts get the same text as from Flux
 * v1, which doesn't say. So does everybody whose daemon is Flux v1, which doesn't know the question.
 */
export async function tellUnverified(
  client: Pick<ApiClient, "verification">,
  { errScreen, err, clock, signal }: CommandContext,
): Promise<void> {
  if (errScreen === undefined) {
    return;
  }
  using deadline = new Deadline(clock, askFor, signal);
  const report = await client.verification(deadline.signal).catch(() => undefined);
  signal.throwIfAborted();
  if (report?.bad !== undefined) {
    const text = describeUnverified(report.bad);
    err(`${text.charAt(0).toUpperCase()}${text.slice(1)}.\n`);
  }
}
