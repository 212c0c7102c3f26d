import { sql } from "kysely";
import type { JobState } from "./job-states.ts";
import type { Connection, Tables } from "./schema.ts";

type DeliveryState = Tables["notificationOutbox"]["state"];

/** How many there are in each state; states without any are missing. */
export type Counts<State extends string> = Partial<Readonly<Record<State, number>>>;

/** How many jobs are in each state. */
export function countJobs(connection: Connection): Promise<Counts<JobState>> {
  return countStates(connection, "jobs");
}

/** How many messages of notifications are in each state. */
export function countDeliveries(connection: Connection): Promise<Counts<DeliveryState>> {
  return countStates(connection, "notificationOutbox");
}

async function countStates(connection: Connection, table: "jobs" | "notificationOutbox") {
  const query = connection.selectFrom(table).groupBy("state");
  const rows = await query.select(["state", sql<number>`count(*)`.as("count")]).execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
