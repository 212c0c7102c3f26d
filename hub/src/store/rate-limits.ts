import { sql } from "kysely";
import type { Connection } from "./schema.ts";
import { storableKey } from "./storable.ts";

/** How often something may be done. */
export interface RateLimit {
  /** How often at once. */
  readonly burst: number;
  /** How often in the long run. */
  readonly perMinute: number;
}

/**
 * Counts one use, for all consoles together; resolves to 0 if it's within the limit, or else to how long to wait before
 * the next, in milliseconds. A use beyond the limit isn't counted.
 */
export async function useRateLimit(
  connection: Connection,
  { key, limit }: { readonly key: string; readonly limit: RateLimit },
  now: number,
): Promise<number> {
  const at = new Date(now);
  const perSecond = limit.perMinute / 60;
  const left = sql`greatest(0, rate_limits.used - greatest(0, extract(epoch from ${at}::timestamptz - rate_limits.updated_at)) * ${perSecond}::float8)`;
  const { rows } = await sql`
    insert into rate_limits (key, used, updated_at) values (${storableKey(key)}, 1, ${at})
    on conflict (key) do update set used = ${left} + 1, updated_at = greatest(rate_limits.updated_at, ${at}::timestamptz)
    where ${left} + 1 <= ${limit.burst}::float8
    returning key`.execute(connection);
  return rows.length > 0 ? 0 : waitFor(connection, { key, limit }, now);
}

async function waitFor(
  connection: Connection,
  { key, limit }: { readonly key: string; readonly limit: RateLimit },
  now: number,
): Promise<number> {
  const row = await connection
    .selectFrom("rateLimits")
    .select(["used", "updatedAt"])
    .where("key", "=", storableKey(key))
    .executeTakeFirst();
  const excess = (row?.used ?? limit.burst) + 1 - limit.burst;
  const readyAt = (row?.updatedAt.getTime() ?? now) + (excess / limit.perMinute) * 60_000;
  return Math.max(1, Math.ceil(readyAt - now));
}
