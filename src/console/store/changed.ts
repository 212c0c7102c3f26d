import { sql } from "kysely";
import type { StoredEvent } from "./events.ts";
import type { Connection, JobState } from "./schema.ts";

/** Events with these IDs, in their order, with the names of their instances; those that were deleted are missing. */
export async function eventsWithIds(
  connection: Connection,
  ids: readonly number[],
): Promise<readonly (StoredEvent & { readonly instanceName: string })[]> {
  return connection
    .selectFrom("events")
    .innerJoin("instances", "instances.id", "events.instanceId")
    .where(sql<boolean>`events.id = any(${ids}::bigint[])`)
    .select([
      "events.id",
      "events.instanceId",
      "instances.name as instanceName",
      "events.type",
      "events.severity",
      "events.at",
      "events.receivedAt",
      "events.namespaces",
      "events.workloadIds",
      "events.revision",
      "events.message",
      "events.metadata",
    ])
    .orderBy("events.id")
    .execute();
}

/** Where a job is, and of what; undefined if there's no such job. */
export async function findJobState(
  connection: Connection,
  id: string,
): Promise<{ readonly state: JobState; readonly namespaces: readonly string[] } | undefined> {
  return connection
    .selectFrom("jobs")
    .select(["state", "namespaces"])
    .where("id", "=", id)
    .executeTakeFirst();
}
