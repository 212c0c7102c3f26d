import type { JsonValue } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import type { Connection } from "./schema.ts";
import { storableJson } from "./text.ts";

/** A setting; undefined if it was never set. */
export async function findSetting(connection: Connection, key: string): Promise<JsonValue | undefined> {
  const row = await connection
    .selectFrom("settings")
    .select("value")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.value;
}

/** Changes a setting. Throws a Problem if the value is too large. */
export async function setSetting(
  connection: Connection,
  { key, value, by }: { readonly key: string; readonly value: JsonValue; readonly by: string | null },
  now: number,
): Promise<void> {
  const json = storableJson(value);
  if (json === null) {
    throw new Problem("invalid", `The setting ${key} is too large.`, { remedy: "Make it shorter." });
  }
  const set = { value: json, updatedBy: by, updatedAt: new Date(now) };
  await connection
    .insertInto("settings")
    .values({ key, ...set })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(set))
    .execute();
}
