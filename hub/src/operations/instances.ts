import { newSecret } from "../access/secrets.ts";
import type { Instance as AnsweredInstance } from "../contract/instances.ts";
import {
  createInstance,
  findInstance,
  type Instance,
  removeInstance,
  renameInstance,
  replaceInstanceToken,
} from "../store/instances.ts";
import { cancelJobsOf } from "../store/job-lifecycle.ts";
import type { Connection } from "../store/schema.ts";
import { hashOfSecret } from "../store/secret-hash.ts";
import type { Handlers } from "./call.ts";
import { answeredInstance } from "./listed-instances.ts";
import { noSuchInstance } from "./may-call.ts";
import { type OperationOptions, tell } from "./options.ts";
import { requireAdministrator } from "./rights.ts";

/** Adds, changes, and removes instances. */
export function instanceAdministration(
  options: OperationOptions,
): Pick<Handlers, "createInstance" | "changeInstance" | "removeInstance" | "renewToken"> {
  const { database, clock, connectTo } = options;
  const created = (instance: Instance, token: string): Created => ({
    instance: answeredInstance(instance),
    token,
    flags: [`--connect=${connectTo}`, `--token=${token}`],
  });
  return {
    createInstance: async ({ actor, body, audit }) => {
      requireAdministrator(actor);
      const token = newSecret("instance");
      return database.transaction(async (transaction) => {
        const instance = { ...body, tokenHash: hashOfSecret(token) };
        const instanceId = await createInstance(transaction, instance, clock.now());
        audit({ instanceId, subject: body.name });
        await tell(options, transaction, { topic: "changes", of: { instanceId, workloads: [] } });
        return created(await existing(transaction, instanceId), token);
      });
    },
    changeInstance: async ({ actor, path: { instance: instanceId }, body, audit }) => {
      requireAdministrator(actor, instanceId);
      return database.transaction(async (transaction) => {
        const { name, description } = await existing(transaction, instanceId);
        const names = { name: body.name ?? name, description: body.description ?? description };
        audit({ subject: name, ...(names.name === name ? {} : { detail: { to: names.name } }) });
        await renameInstance(transaction, instanceId, names);
        await tell(options, transaction, { topic: "changes", of: { instanceId, workloads: [] } });
        return answeredInstance(await existing(transaction, instanceId));
      });
    },
    removeInstance: async ({ actor, path: { instance: instanceId }, audit }) => {
      requireAdministrator(actor, instanceId);
      await database.transaction(async (transaction) => {
        audit({ subject: (await existing(transaction, instanceId)).name });
        if (!(await removeInstance(transaction, instanceId, clock.now()))) {
          throw noSuchInstance();
        }
        for (const { id } of await cancelJobsOf(transaction, instanceId, clock.now())) {
          await tell(options, transaction, { topic: "jobs", of: { instanceId, jobId: id } });
        }
        await tell(options, transaction, { topic: "tokens", of: { instanceId } });
        await tell(options, transaction, { topic: "changes", of: { instanceId, workloads: null } });
      });
      return undefined;
    },
    renewToken: async ({ actor, path: { instance: instanceId }, audit }) => {
      requireAdministrator(actor, instanceId);
      const token = newSecret("instance");
      return database.transaction(async (transaction) => {
        await replaceInstanceToken(transaction, { id: instanceId, tokenHash: hashOfSecret(token) });
        await tell(options, transaction, { topic: "tokens", of: { instanceId } });
        const instance = await existing(transaction, instanceId);
        audit({ subject: instance.name });
        return created(instance, token);
      });
    },
  };
}

interface Created {
  readonly instance: AnsweredInstance;
  readonly token: string;
  readonly flags: string[];
}

async function existing(connection: Connection, instanceId: string): Promise<Instance> {
  const instance = await findInstance(connection, instanceId, "everything");
  if (instance === undefined) {
    throw noSuchInstance();
  }
  return instance;
}
