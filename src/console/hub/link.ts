import type { ConnectedDaemon } from "../../api/upstream-server/server.ts";
import type { Lease } from "../store/leases.ts";

/** The connection of an instance's daemon to this console, which holds the instance's lease as long as it's the newest. */
export interface Link {
  readonly lease: Lease;
  readonly daemon: ConnectedDaemon;
  /** Aborted when the connection has ended: whatever is done for it can stop. */
  readonly signal: AbortSignal;
}

/** Makes the link of a connection. */
export function linkOf(lease: Lease, daemon: ConnectedDaemon): Link {
  const over = new AbortController();
  void daemon.closed.then(() => over.abort(new Error("the daemon has disconnected")));
  return { lease, daemon, signal: over.signal };
}
