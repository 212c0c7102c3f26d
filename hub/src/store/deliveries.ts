import { type Selectable, sql } from "kysely";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { storableKey } from "./storable.ts";

type OutboxRow = Selectable<Tables["notificationOutbox"]>;

/** A message that was sent, waits, or was given up. */
export type StoredDelivery = Pick<
  OutboxRow,
  "id" | "channelId" | "state" | "attempts" | "createdAt" | "endedAt" | "result"
>;

/** Which messages to list; what isn't set doesn't matter. */
export interface DeliveryFilter {
  readonly channelId?: string | undefined;
  readonly state?: OutboxRow["state"] | undefined;
}

/** A page of messages. */
export function listDeliveries(
  connection: Connection,
  { channelId, state }: DeliveryFilter,
  page: PageRequest<"created">,
): Promise<Page<StoredDelivery>> {
  let query = connection
    .selectFrom("notificationOutbox")
    .select(["id", "channelId", "state", "attempts", "createdAt", "endedAt", "result"]);
  if (channelId !== undefined) {
    query = query.where("channelId", "=", storableKey(channelId));
  }
  if (state !== undefined) {
    query = query.where("state", "=", state);
  }
  return readPage(query, orders, page);
}

const orders: Readonly<Record<"created", Order>> = { created: [sql`created_at`, sql`id`] };
