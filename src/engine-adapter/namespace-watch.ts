import { type Logger, messageOf } from "@weir/base";
import { isApiReason, namespacePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";

/** Finds the allowed namespaces that can be accessed, and logs once each one that can't. */
export class NamespaceWatch {
  readonly #client: RestClient;
  readonly #allowed: ReadonlySet<string>;
  readonly #logger: Logger;
  readonly #missing = new Set<string>();

  constructor(client: RestClient, allowed: ReadonlySet<string>, logger: Logger) {
    this.#client = client;
    this.#allowed = allowed;
    this.#logger = logger;
  }

  /** The allowed namespaces that exist. Rejects if the API server doesn't respond. */
  async reachable(signal: AbortSignal): Promise<readonly string[]> {
    const found = await Promise.all([...this.#allowed].map((name) => this.#isThere(name, signal)));
    return [...this.#allowed].filter((_, index) => found[index]);
  }

  async #isThere(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.json({ method: "GET", path: namespacePath(name), signal });
      this.#missing.delete(name);
      return true;
    } catch (error) {
      if (!["NotFound", "Forbidden", "Unauthorized"].some((reason) => isApiReason(error, reason))) {
        throw error;
      }
      if (!this.#missing.has(name)) {
        this.#missing.add(name);
        this.#logger.log({
          warning: "cannot access allowed namespace",
          namespace: name,
          err: messageOf(error),
        });
      }
      return false;
    }
  }
}
