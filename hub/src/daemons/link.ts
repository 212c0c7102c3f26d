import type { ConnectedDaemon } from "@weir/upstream-server";
import type { Lease } from "../store/leases.ts";

/** The connection of an instance's daemon to this console, which holds the instance's lease as long as it's the newest. */
export class Link {
  readonly lease: Lease;
  readonly daemon: ConnectedDaemon;
  readonly #over = new AbortController();

  constructor(lease: Lease, daemon: ConnectedDaemon) {
    this.lease = lease;
    this.daemon = daemon;
    void daemon.closed.then(() => this.#end());
  }

  /** Aborted when the connection ends or is about to: whatever is done for it can stop. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Closes the connection, whose daemon connects again after some seconds; resolves when it has ended. */
  async close(): Promise<void> {
    this.#end();
    await this.daemon.close();
  }

  #end(): void {
    this.#over.abort(new Error("the daemon has disconnected"));
  }
}
