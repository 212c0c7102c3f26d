import { sql } from "kysely";
import type { Connection } from "./schema.ts";
import { storableKey } from "./storable.ts";

/** When an instance was synced, as an event says it. */
export interface Synced {
  readonly instanceId: string;
  readonly at: Date;
  /** "" if the event doesn't name one. */
  readonly revision: string;
}

/** Notes syncs of instances, at most one of each; what's older than what is known changes nothing. */
export async function noteSyncs(connection: Connection, syncs: readonly Synced[]): Promise<void> {
  const ids = syncs.map(({ instanceId }) => instanceId);
  const times = syncs.map(({ at }) => at.toISOString());
  const revisions = syncs.map(({ revision }) => storableKey(revision));
  await sql`
    update instance_state
    set last_sync_at = synced.at, last_sync_revision = coalesce(nullif(synced.revision, ''), last_sync_revision)
    from unnest(${ids}::text[], ${times}::text[]::timestamptz[], ${revisions}::text[]) as synced (id, at, revision)
    where instance_id = synced.id and (last_sync_at is null or last_sync_at <= synced.at)
  `.execute(connection);
}
