import { sql } from "kysely";
import { hasUpdated } from "./affected.ts";
import type { Connection } from "./schema.ts";
import { storable, textLimits } from "./storable.ts";
import { inTransaction } from "./transaction.ts";

/** A console that runs. */
export interface ConsoleEntry {
  readonly id: string;
  /** Where other consoles reach it; "" if they don't. */
  readonly address: string;
  readonly version: string;
}

/** Which console holds a connection of an instance, and which one. */
export interface Holder {
  readonly consoleId: string;
  readonly leaseId: string;
}

/** A connection of an instance: at any time, at most one has the instance's lease. */
export interface Lease extends Holder {
  readonly instanceId: string;
}

/** Says that a console is alive. */
export async function beat(
  connection: Connection,
  { id, address, version }: ConsoleEntry,
  now: number,
): Promise<void> {
  const at = new Date(now);
  await connection
    .insertInto("consoles")
    .values({ id, address, version, startedAt: at, heartbeatAt: at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ address, version, heartbeatAt: at }))
    .execute();
}

/**
 * Gives the lease of an instance to a new connection, always: the newest wins. Resolves to who had it before, so that
 * that connection can be closed; undefined if nobody did.
 */
export function takeLease(
  connection: Connection,
  { instanceId, ...holder }: Lease & { readonly userAgent: string; readonly protocol: string },
  now: number,
): Promise<Holder | undefined> {
  return inTransaction(connection, async (transaction) => {
    const before = await lockedHolder(transaction, instanceId);
    await transaction
      .updateTable("instanceState")
      .set({
        connected: true,
        consoleId: holder.consoleId,
        leaseId: holder.leaseId,
        connectedAt: new Date(now),
        lastSeenAt: new Date(now),
        userAgent: storable(holder.userAgent, textLimits.line),
        protocol: storable(holder.protocol, textLimits.line),
      })
      .where("instanceId", "=", instanceId)
      .execute();
    return before;
  });
}

/** Notes that daemons were heard from; resolves to the leases of these that are still held. */
export async function renewLeases(
  connection: Connection,
  leaseIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await connection
    .updateTable("instanceState")
    .set({ lastSeenAt: new Date(now) })
    .where(sql<boolean>`lease_id = any(${leaseIds}::text[])`)
    .returning("leaseId")
    .execute();
  return new Set(rows.flatMap(({ leaseId }) => leaseId ?? []));
}

/** Gives a lease back after the connection was closed; false if a newer connection has it already. */
export async function releaseLease(
  connection: Connection,
  { instanceId, leaseId }: Pick<Lease, "instanceId" | "leaseId">,
  now: number,
): Promise<boolean> {
  return hasUpdated(
    connection
      .updateTable("instanceState")
      .set({ ...disconnected, disconnectedAt: new Date(now) })
      .where("instanceId", "=", instanceId)
      .where("leaseId", "=", leaseId),
  );
}

/**
 * True if this connection has the lease; it can't be taken then until the end of the transaction. Whoever writes what a
 * daemon said asks first, so that nothing old is written over something new.
 */
export async function holdsLease(
  transaction: Connection,
  { instanceId, leaseId }: Pick<Lease, "instanceId" | "leaseId">,
): Promise<boolean> {
  return (await lockedHolder(transaction, instanceId))?.leaseId === leaseId;
}

/**
 * Forgets consoles that have not been alive since a time, or one that stops, and takes the leases of all that aren't
 * there; resolves to the instances that had one.
 */
export function forgetConsoles(
  connection: Connection,
  { deadSince, stopped }: { readonly deadSince: Date; readonly stopped?: string },
  now: number,
): Promise<readonly string[]> {
  return inTransaction(connection, async (transaction) => {
    await transaction
      .deleteFrom("consoles")
      .where((where) => where.or([where("heartbeatAt", "<", deadSince), where("id", "=", stopped ?? "")]))
      .execute();
    const rows = await transaction
      .updateTable("instanceState")
      .set({ ...disconnected, disconnectedAt: new Date(now) })
      .where("connected", "=", true)
      .where(sql<boolean>`console_id not in (select id from consoles)`)
      .returning("instanceId")
      .execute();
    return rows.map(({ instanceId }) => instanceId);
  });
}

const disconnected = { connected: false, consoleId: null, leaseId: null } as const;

async function lockedHolder(transaction: Connection, instanceId: string): Promise<Holder | undefined> {
  return holderOf(
    await transaction
      .selectFrom("instanceState")
      .select(["consoleId", "leaseId"])
      .where("instanceId", "=", instanceId)
      .forUpdate()
      .executeTakeFirst(),
  );
}

function holderOf(
  row: { readonly consoleId: string | null; readonly leaseId: string | null } | undefined,
): Holder | undefined {
  return row === undefined || row.consoleId === null || row.leaseId === null
    ? undefined
    : { consoleId: row.consoleId, leaseId: row.leaseId };
}
