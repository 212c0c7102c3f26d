import { type Clock, type Logger, toError } from "@weir/base";
import { type Invitations, linkValidity } from "./invitations.ts";

/** What it takes to let the first administrator in. */
export interface FirstAdministratorOptions {
  readonly invitations: Pick<Invitations, "firstAdministrator">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where people reach the console. */
  readonly publicUrl: URL;
}

/** How long to wait before another try after the database couldn't be reached, in milliseconds. */
const retry = 5_000;

/**
 * Logs a link that makes the first administrator, and another one each time when it has expired, until there's an
 * administrator. Links of other consoles, and those that were logged before, go on working. Resolves when there's an
 * administrator, or the signal is aborted; never rejects.
 */
export async function inviteFirstAdministrator(
  { invitations, clock, logger, publicUrl }: FirstAdministratorOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let wait = linkValidity.firstAdministrator;
    try {
      const link = await invitations.firstAdministrator();
      if (link === undefined) {
        return;
      }
      logger.log({
        info: "nobody is administrator yet: open this link to become it; it works once",
        url: new URL(link.path, publicUrl).href,
        until: link.expiresAt.toISOString(),
      });
    } catch (error) {
      logger.log({
        warning: "cannot make a link for the first administrator; trying again",
        err: toError(error),
      });
      wait = retry;
    }
    await clock.sleep(wait, signal).catch(() => undefined);
  }
}
