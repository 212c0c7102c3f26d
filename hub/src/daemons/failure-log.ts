import { type Logger, messageOf } from "@weir/base";
import type { Link } from "./link.ts";

/** Logs what goes wrong with a daemon: an ongoing failure once, and nothing that is only the end of its connection. */
export class FailureLog {
  readonly #log: Logger;
  readonly #link: Link;
  readonly #warning: string;
  #ongoing = "";

  constructor(log: Logger, link: Link, warning: string) {
    this.#log = log;
    this.#link = link;
    this.#warning = warning;
  }

  /** Logs an error, unless it's the one of the time before. */
  failed(error: unknown): void {
    const { signal, lease } = this.#link;
    const message = messageOf(error);
    if (!signal.aborted && message !== this.#ongoing) {
      this.#ongoing = message;
      this.#log.log({
        component: "hub",
        instance: lease.instanceId,
        warning: this.#warning,
        err: message,
      });
    }
  }

  /** Says that it works again. */
  worked(): void {
    this.#ongoing = "";
  }
}
