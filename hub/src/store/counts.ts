import { sql } from "kysely";
import type { JobState } from "./job-states.ts";
import type { Connection, Tables } from "./schema.ts";

type DeliveryState = Tables["notificationOutbox"]["state"];

/** How many there are in each state; states without any are missing. */
export type Counts<State extends string> = Partial<Readonly<Record<State, number>>>;

/** How many jobs are in each state. */
export async function countJobs(connection: Connection): Promise<Counts<JobState>> {
  const rows = await connection
    .selectFrom("jobs")
    .select(["state", sql<number>`count(*)`.as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** How many messages of notifications are in each state. */
export async function countDeliveries(connection: Connection): Promise<Counts<DeliveryState>> {
  const rows = await connection
    .selectFrom("notificationOutbox")
    .select(["state", sql<number>`count(*)`.as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
