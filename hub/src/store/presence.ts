/** Which daemons have been gone for long enough to say so, and which of these are back; and what they told last. */
import { sql } from "kysely";
import { hasUpdated } from "./affected.ts";
import { holdsLease, type Lease } from "./leases.ts";
import type { Connection } from "./schema.ts";

/** A daemon that is gone, or one that was and is back. */
export interface PresenceChange {
  readonly instanceId: string;
  /** "new" if it had not been connected before. */
  readonly kind: "gone" | "missing" | "back" | "new";
  /** Since when it was gone; for an instance that had none, when that was added. */
  readonly since: Date;
}

/** Daemons whose connection ended, or whose instance was added, before these times are gone. */
export interface PresenceLimits {
  readonly endedBefore: Date;
  readonly addedBefore: Date;
}

/** True if `notePresence` may find something. */
export async function hasPresenceChanges(connection: Connection, limits: PresenceLimits): Promise<boolean> {
  return (await changedPresence(connection, limits).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Notes which daemons are gone, and which are back; resolves to these, each once, whichever console asks. Between two
 * calls, a daemon may have been gone and back unnoticed.
 */
export async function notePresence(
  transaction: Connection,
  limits: PresenceLimits,
): Promise<readonly PresenceChange[]> {
  const rows = await changedPresence(transaction, limits).forUpdate(["instanceState"]).execute();
  const gone = rows.filter(({ connected }) => !connected);
  const back = rows.filter(({ connected }) => connected);
  await sql`
    update instance_state set gone_since = gone.since
    from unnest(
      ${gone.map(({ instanceId }) => instanceId)}::text[],
      ${gone.map(({ since }) => since.toISOString())}::text[]::timestamptz[]
    ) as gone (id, since)
    where instance_id = gone.id
  `.execute(transaction);
  await transaction
    .updateTable("instanceState")
    .set({ goneSince: null })
    .where(sql<boolean>`instance_id = any(${back.map(({ instanceId }) => instanceId)}::text[])`)
    .execute();
  return rows.map(({ instanceId, connected, since, wasThere }) => ({
    instanceId,
    kind: connected ? (wasThere ? "back" : "new") : wasThere ? "gone" : "missing",
    since,
  }));
}

/** The last event of a daemon's own log that was taken; 0 for none. */
export async function findEventCursor(connection: Connection, instanceId: string): Promise<number> {
  const row = await connection
    .selectFrom("instanceState")
    .select("eventCursor")
    .where("instanceId", "=", instanceId)
    .executeTakeFirst();
  return row?.eventCursor ?? 0;
}

/** Notes up to where a daemon's own log was taken; false if this connection isn't the newest, or it was taken before. */
export async function moveEventCursor(
  transaction: Connection,
  lease: Pick<Lease, "instanceId" | "leaseId">,
  to: number,
): Promise<boolean> {
  if (!(await holdsLease(transaction, lease))) {
    return false;
  }
  return hasUpdated(
    transaction
      .updateTable("instanceState")
      .set({ eventCursor: to })
      .where("instanceId", "=", lease.instanceId)
      .where("eventCursor", "<", to),
  );
}

/** Instances of older consoles, which did not note when connections ended, were last seen then. */
const lastThere = sql<Date | null>`coalesce(disconnected_at, last_seen_at, connected_at)`;

function changedPresence(connection: Connection, { endedBefore, addedBefore }: PresenceLimits) {
  return connection
    .selectFrom("instanceState")
    .innerJoin("instances", "instances.id", "instanceState.instanceId")
    .where("instances.removedAt", "is", null)
    .where(
      sql<boolean>`case
        when connected then gone_since is not null
        else gone_since is null and coalesce(${lastThere} < ${endedBefore}, instances.created_at < ${addedBefore})
      end`,
    )
    .select(["instanceId", "connected"])
    .select([
      sql<Date>`coalesce(gone_since, ${lastThere}, instances.created_at)`.as("since"),
      sql<boolean>`coalesce(gone_since, ${lastThere}, instances.created_at) > instances.created_at`.as(
        "wasThere",
      ),
    ]);
}
