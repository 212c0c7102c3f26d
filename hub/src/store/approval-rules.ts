import { type Selectable, sql } from "kysely";
import { hasDeleted } from "./affected.ts";
import { newId } from "./ids.ts";
import type { Connection, Tables } from "./schema.ts";
import { storableKey } from "./storable.ts";

/** Where changes need a second person. */
export type ApprovalRule = Selectable<Tables["approvalRules"]>;

/** Adds a rule; resolves to its ID. */
export async function createApprovalRule(
  connection: Connection,
  rule: Omit<ApprovalRule, "id" | "createdAt">,
  now: number,
): Promise<string> {
  const id = newId(now);
  const namespace = rule.namespace === null ? null : storableKey(rule.namespace);
  await connection
    .insertInto("approvalRules")
    .values({ ...rule, namespace, id, createdAt: new Date(now) })
    .execute();
  return id;
}

/** All rules, the oldest first. */
export function listApprovalRules(connection: Connection): Promise<readonly ApprovalRule[]> {
  return connection.selectFrom("approvalRules").selectAll().orderBy("id").limit(10_000).execute();
}

/** Deletes a rule; false if there's none. */
export async function deleteApprovalRule(connection: Connection, id: string): Promise<boolean> {
  const deletion = connection.deleteFrom("approvalRules").where("id", "=", storableKey(id));
  return hasDeleted(deletion);
}

/** True if a change of these namespaces of an instance, or of all if none is named, needs a second person. */
export async function needsApproval(
  connection: Connection,
  { instanceId, namespaces }: { readonly instanceId: string; readonly namespaces: readonly string[] },
): Promise<boolean> {
  const names = namespaces.map(storableKey);
  const row = await connection
    .selectFrom("approvalRules")
    .select("id")
    .where(sql<boolean>`coalesce(instance_id, ${instanceId}) = ${instanceId}`)
    .where(
      sql<boolean>`(namespace is null or cardinality(${names}::text[]) = 0 or namespace = any(${names}::text[]))`,
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
