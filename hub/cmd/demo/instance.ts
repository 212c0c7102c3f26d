import { systemClock } from "@weir/base";
import { newSecret } from "../../src/access/secrets.ts";
import { tell } from "../../src/operations/options.ts";
import type { ConsoleParts } from "../../src/program/parts.ts";
import { createInstance, listInstances, replaceInstanceToken } from "../../src/store/instances.ts";
import { hashOfSecret } from "../../src/store/secret-hash.ts";
import type { DemoCluster } from "./cluster.ts";

/** Makes the instance of a cluster, or gives the one that's there another token; resolves to the token. */
export async function openInstance(
  { database, bus }: Pick<ConsoleParts, "database" | "bus">,
  { name, description }: DemoCluster,
): Promise<string> {
  const { connection } = database;
  const token = newSecret("instance");
  const tokenHash = hashOfSecret(token);
  const page = { sort: "name", descending: false, limit: 100 } as const;
  const { items } = await listInstances(connection, { scope: "everything", search: name }, page);
  const known = items.find((each) => each.name === name);
  if (known === undefined) {
    await createInstance(connection, { name, description, tokenHash }, systemClock.now());
  } else {
    await replaceInstanceToken(connection, { id: known.id, tokenHash });
    await tell({ bus }, connection, { topic: "tokens", of: { instanceId: known.id } });
  }
  return token;
}

/** The names of the instances that have synced. */
export async function syncedInstances({
  database,
}: Pick<ConsoleParts, "database">): Promise<readonly string[]> {
  const page = { sort: "name", descending: false, limit: 100 } as const;
  const { items } = await listInstances(database.connection, { scope: "everything", connected: true }, page);
  return items.filter(({ workloads }) => workloads > 0).map(({ name }) => name);
}
