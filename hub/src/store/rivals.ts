/** Which instances have two daemons with one token, which take turns: each new connection replaces the other's. */
import type { Connection } from "./schema.ts";

/** What's known of the connections of an instance that were replaced although their daemon was still there. */
export interface Replacements {
  /** When those began that followed each other closely; null if there are none. */
  readonly replacedSince: Date | null;
  readonly replacedAt: Date | null;
  /** Whether they have gone on for too long to be those of a rollout. */
  readonly hasRivals: boolean;
}

/** What is wrong with an instance that has rivals, and what to do about it, for people. */
export const rivalsProblem =
  "Two daemons connect with the token of this instance and take turns, so neither stays connected. " +
  "Add an instance for the second daemon and give it that token, or stop it.";

/**
 * How long a daemon may take to come back, in milliseconds: both Flux v1 and Weir connect again 5 seconds after a connection
 * has ended. After a longer pause, it begins anew.
 */
const closely = 30_000;

/** How long nothing may be replaced for it to be over, in milliseconds. */
const quiet = 120_000;

/** What's known after one more was replaced; `patience` is how long a rollout may take, in milliseconds. Decides only. */
export function afterReplacement(
  { replacedSince, replacedAt, hasRivals }: Replacements,
  { now, patience }: { readonly now: number; readonly patience: number },
): Replacements {
  const goesOn = replacedSince !== null && replacedAt !== null && now - replacedAt.getTime() <= closely;
  const since = goesOn ? replacedSince : new Date(now);
  return {
    replacedSince: since,
    replacedAt: new Date(now),
    hasRivals: hasRivals || now - since.getTime() >= patience,
  };
}

/** Notes that a connection was replaced whose daemon was still there; true if the instance has rivals only now. */
export async function noteReplacement(
  transaction: Connection,
  instanceId: string,
  times: { readonly now: number; readonly patience: number },
): Promise<boolean> {
  const before = await transaction
    .selectFrom("instanceState")
    .select(["replacedSince", "replacedAt", "hasRivals"])
    .where("instanceId", "=", instanceId)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) {
    return false;
  }
  const after = afterReplacement(before, times);
  await transaction.updateTable("instanceState").set(after).where("instanceId", "=", instanceId).execute();
  return after.hasRivals && !before.hasRivals;
}

/** Forgets rivals that no longer take turns; resolves to their instances. */
export async function forgetRivals(connection: Connection, now: number): Promise<readonly string[]> {
  const rows = await connection
    .updateTable("instanceState")
    .set({ replacedSince: null, replacedAt: null, hasRivals: false })
    .where("hasRivals", "=", true)
    .where("replacedAt", "<", new Date(now - quiet))
    .returning("instanceId")
    .execute();
  return rows.map(({ instanceId }) => instanceId);
}
