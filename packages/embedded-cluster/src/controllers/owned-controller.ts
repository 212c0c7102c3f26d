/** What the controllers of owners have in common: which owners a write concerns, and how each is looked at. */
import type { StoreEvent } from "../storage/bucket.ts";
import { type Controller, keyOf, partsOfKey } from "./controller.ts";
import { type Owned, type OwnerTools, read } from "./owned.ts";

/** What sets one controller of owners apart from the others. */
export interface OwnerRole {
  /** For the log. */
  readonly name: string;
  /** Where the owners are kept, e.g. "deployments.apps". */
  readonly bucket: string;
  /** Where what they own is kept, e.g. "replicasets.apps". */
  readonly owned: string;
  /** True where something that nobody owns makes all owners of its namespace look whether they want it. */
  readonly adopts?: boolean;
  /** A bucket whose writes concern all owners. */
  readonly concernsAll?: string;
  /** Looks at one owner and does what there is to do. Returns in how many milliseconds to look again, if so. */
  readonly reconcile: (tools: OwnerTools, owner: Owned) => number | undefined;
}

/** A controller that looks at an owner when it, or something that it owns, is written. */
export function ownedController(tools: OwnerTools, role: OwnerRole): Controller {
  const { store } = tools.writer.context;
  return {
    name: role.name,
    keysOf: (event) => keysOf(tools, role, event),
    reconcile: (key) => {
      const { namespace, name } = partsOfKey(key);
      const stored = store.get(role.bucket, namespace, name);
      return stored === undefined ? undefined : role.reconcile(tools, read(stored));
    },
  };
}

function keysOf({ writer, index }: OwnerTools, role: OwnerRole, event: StoreEvent): readonly string[] {
  const { object, previous } = event;
  if (object.bucket === role.bucket) {
    return [keyOf(object)];
  }
  const isForAll = object.bucket === role.concernsAll;
  const isFree = object.bucket === role.owned && object.owners.length === 0;
  if (isForAll || (isFree && role.adopts === true)) {
    const owners = writer.context.store.bucket(role.bucket).list(isForAll ? "" : object.namespace);
    return owners.map(keyOf);
  }
  if (object.bucket !== role.owned) {
    return [];
  }
  const owners = [...object.owners, ...(previous?.owners ?? [])].map((uid) => index.get(uid));
  return owners.flatMap((owner) => (owner?.bucket === role.bucket ? [keyOf(owner)] : []));
}
