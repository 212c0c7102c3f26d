import { type Logger, messageOf, Reported } from "@weir/base";

/** Logs once that a server is unavailable, however many commands fail, and once that it's back. */
export class Outages {
  readonly #logger: Logger;
  /** The servers, as "host:port". */
  readonly #away = new Reported();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(server: string, error: unknown): void {
    if (this.#away.isNew(server)) {
      this.#logger.log({
        warning: "memcached is unavailable; images are neither read nor scanned until it is back",
        server,
        err: messageOf(error),
      });
    }
  }

  answered(server: string): void {
    if (this.#away.clear(server)) {
      this.#logger.log({ info: "memcached is back", server });
    }
  }

  /** The server isn't used anymore. */
  forget(server: string): void {
    this.#away.clear(server);
  }
}
