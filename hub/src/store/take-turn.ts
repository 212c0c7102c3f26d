import { sql } from "kysely";
import type { Connection } from "./schema.ts";

/**
 * Takes a turn at something that only one console has to do, every so often: true for the one that has it, false for all
 * others until `everyMs` has passed.
 */
export async function takeTurn(
  connection: Connection,
  { name, everyMs }: { readonly name: string; readonly everyMs: number },
  now: number,
): Promise<boolean> {
  const updatedAt = new Date(now);
  const taken = await connection
    .insertInto("settings")
    .values({ key: `turn:${name}`, value: "null", updatedBy: null, updatedAt })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ updatedAt })
        .where(sql<boolean>`settings.updated_at <= ${new Date(now - everyMs)}`),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}
