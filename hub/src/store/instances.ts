import { type Selectable, sql, type Updateable } from "kysely";
import { hasUpdated } from "./affected.ts";
import { isAmong } from "./filter.ts";
import { newId } from "./ids.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { isVisibleInstance, type Scope } from "./scope.ts";
import { containingEach, storable, storableKey, textLimits } from "./storable.ts";
import { inTransaction } from "./transaction.ts";
import { withUnique } from "./violation.ts";

type State = Omit<Selectable<Tables["instanceState"]>, "instanceId">;

/** An instance of fluxd, its state, and how many workloads it has. */
export type Instance = State & {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly workloads: number;
  /** How many of its workloads are degraded, or have an error of the last sync. */
  readonly unhealthy: number;
  /** How many are being rolled out. */
  readonly progressing: number;
  /** For how many there's a newer image. */
  readonly newImages: number;
};

/** What can be said about an instance before its daemon connects. */
export interface NewInstance {
  readonly name: string;
  readonly description: string;
  /** The SHA-256 of its token, in hex. */
  readonly tokenHash: string;
}

/** What follows from what the daemon says. Whether it's connected is in leases.ts, presence.ts, and rivals.ts. */
export type StateChange = Omit<
  Updateable<Tables["instanceState"]>,
  | "instanceId"
  | "connected"
  | "consoleId"
  | "leaseId"
  | "connectedAt"
  | "disconnectedAt"
  | "goneSince"
  | "eventCursor"
  | "replacedSince"
  | "replacedAt"
  | "hasRivals"
>;

/** What instances can be sorted by; those that never connected or synced are the oldest. */
export type InstanceSort = "name" | "lastSeen" | "lastSync" | "unhealthy";

/** Which instances to list; what isn't set doesn't matter. */
export interface InstanceFilter {
  readonly scope: Scope;
  /** Words, each of which is a part of the name, the description, or the git URL. */
  readonly search?: string | undefined;
  readonly connected?: boolean | undefined;
  readonly suspended?: boolean | undefined;
  readonly syncStates?: readonly string[] | undefined;
}

/** Adds an instance; resolves to its ID. Throws a Problem if there's one with this name already. */
export async function createInstance(
  connection: Connection,
  instance: NewInstance,
  now: number,
): Promise<string> {
  const id = newId(now);
  const row = { ...named(instance), id, tokenHash: instance.tokenHash, createdAt: new Date(now) };
  await inTransaction(connection, async (transaction) => {
    await withUniqueName(instance.name, transaction.insertInto("instances").values(row).execute());
    await transaction.insertInto("instanceState").values({ instanceId: id }).execute();
  });
  return id;
}

/** Changes the name and description; resolves to false if there's no such instance. Otherwise as `createInstance`. */
export async function renameInstance(
  connection: Connection,
  id: string,
  names: Pick<NewInstance, "name" | "description">,
): Promise<boolean> {
  const update = connection.updateTable("instances").set(named(names)).where("id", "=", id);
  return withUniqueName(names.name, hasUpdated(update.where("removedAt", "is", null)));
}

/** Gives an instance another token, so that the one before is worth nothing; false if there's no such instance. */
export async function replaceInstanceToken(
  connection: Connection,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: string },
): Promise<boolean> {
  const update = connection.updateTable("instances").set({ tokenHash }).where("id", "=", id);
  return hasUpdated(update.where("removedAt", "is", null));
}

/**
 * Removes an instance: its token is worth nothing, its name is free, and it's in no list. What it did is kept until
 * retention deletes it. False if there's no such instance.
 */
export async function removeInstance(connection: Connection, id: string, now: number): Promise<boolean> {
  const update = connection
    .updateTable("instances")
    .set({ tokenHash: null, removedAt: new Date(now) })
    .where("id", "=", id);
  return hasUpdated(update.where("removedAt", "is", null));
}

/** The IDs of the instances with these tokens, by the tokens' hashes; those that nobody has are left out. */
export async function findInstancesByToken(
  connection: Connection,
  tokenHashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection
    .selectFrom("instances")
    .select(["id", "tokenHash"])
    .where(sql<boolean>`token_hash = any(${tokenHashes}::text[])`)
    .where("removedAt", "is", null)
    .execute();
  return new Map(rows.map(({ id, tokenHash }) => [tokenHash ?? "", id]));
}

/** Notes what the daemon said. Texts can be anything: what's too long is cut. */
export async function updateInstanceState(
  connection: Connection,
  id: string,
  change: StateChange,
): Promise<void> {
  const texts = Object.entries(change).map(([key, value]) => [
    key,
    typeof value === "string" ? storable(value, textLimits.message) : value,
  ]);
  const set = Object.fromEntries(texts) as StateChange;
  if (texts.length > 0) {
    await connection.updateTable("instanceState").set(set).where("instanceId", "=", id).execute();
  }
}

/** True as long as nothing is known to be wrong with an instance. */
export async function isWithoutProblem(connection: Connection, id: string): Promise<boolean> {
  const query = connection.selectFrom("instanceState").select("problem").where("instanceId", "=", id);
  return (await query.executeTakeFirst())?.problem === "";
}

/** One instance; undefined if there's none, or it isn't in the scope. */
export async function findInstance(
  connection: Connection,
  id: string,
  scope: Scope,
): Promise<Instance | undefined> {
  return instancesIn(connection, { scope }).where("instances.id", "=", storableKey(id)).executeTakeFirst();
}

/** A page of instances. */
export function listInstances(
  connection: Connection,
  filter: InstanceFilter,
  page: PageRequest<InstanceSort>,
): Promise<Page<Instance>> {
  return readPage(instancesIn(connection, filter), orders, page);
}

/** The names of instances, also of removed ones, by their IDs. */
export async function instanceNames(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection
    .selectFrom("instances")
    .select(["id", "name"])
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function instancesIn(connection: Connection, filter: InstanceFilter) {
  let query = connection
    .selectFrom("instances")
    .innerJoin("instanceState", "instanceState.instanceId", "instances.id")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("workloads")
          .whereRef("workloads.instanceId", "=", "instances.id")
          .select([
            sql<number>`count(*)`.as("workloads"),
            sql<number>`count(*) filter (where health = 'degraded' or sync_error <> '')`.as("unhealthy"),
            sql<number>`count(*) filter (where health = 'progressing')`.as("progressing"),
            sql<number>`count(*) filter (where new_images > 0)`.as("newImages"),
          ])
          .as("counts"),
      (join) => join.onTrue(),
    )
    .where("instances.removedAt", "is", null)
    .where(isVisibleInstance(filter.scope, sql.ref("instances.id")))
    .where(isAmong("syncState", filter.syncStates));
  const words = containingEach(filter.search ?? "");
  if (words.length > 0) {
    query = query.where(
      sql<boolean>`(instances.name || ' ' || description || ' ' || git_url) ilike all(${words}::text[])`,
    );
  }
  if (filter.connected !== undefined) {
    query = query.where("connected", "=", filter.connected);
  }
  if (filter.suspended !== undefined) {
    query = query.where("suspended", "=", filter.suspended);
  }
  return query
    .selectAll("instanceState")
    .select(["id", "name", "description", "createdAt"])
    .select([
      sql<number>`counts.workloads`.as("workloads"),
      sql<number>`counts.unhealthy`.as("unhealthy"),
      sql<number>`counts.progressing`.as("progressing"),
      sql<number>`counts.new_images`.as("newImages"),
    ]);
}

const never = new Date(0);
const id = sql.ref("instances.id");

const orders: Readonly<Record<InstanceSort, Order>> = {
  name: [sql`lower(name)`, id],
  lastSeen: [sql`coalesce(last_seen_at, ${never}::timestamptz)`, id],
  lastSync: [sql`coalesce(last_sync_at, ${never}::timestamptz)`, id],
  unhealthy: [sql`counts.unhealthy`, id],
};

function named({ name, description }: Pick<NewInstance, "name" | "description">) {
  return { name: storableKey(name), description: storable(description, textLimits.message) };
}

function withUniqueName<T>(name: string, query: Promise<T>): Promise<T> {
  const message = `There is another instance with the name ${name}.`;
  return withUnique(query, { index: "instances_name", field: "name", message });
}
