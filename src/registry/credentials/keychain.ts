import { type Logger, messageOf, Reported } from "@weir/base";
import { mergeCredentials, parseImageRefLoosely, type RegistryCredentials, registryOf } from "@weir/flux";
import type { ImageSource } from "../image-source.ts";
import type { HostCredentialSource } from "./source.ts";

/**
 * Adds credentials to images whose workloads have none for the image's host, from the first source that has some. If a
 * source fails, that's logged once, and the next one is tried.
 */
export function withKeychain(
  images: ImageSource,
  sources: readonly HostCredentialSource[],
  logger: Logger,
): ImageSource {
  const told = new Reported();
  return {
    async imageCredentials(signal) {
      const round = new KeychainRound(sources, logger, told, signal);
      const found = new Map<string, RegistryCredentials>();
      for (const [name, own] of await images.imageCredentials(signal)) {
        const host = registryOf(parseImageRefLoosely(name));
        found.set(name, own.has(host) ? own : mergeCredentials(await round.credentialsOf(host), own));
      }
      told.endPass();
      return found;
    },
  };
}

/** Looks up each host only once. */
class KeychainRound {
  readonly #sources: readonly HostCredentialSource[];
  readonly #logger: Logger;
  readonly #told: Reported;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<RegistryCredentials>>();

  constructor(sources: readonly HostCredentialSource[], logger: Logger, told: Reported, signal: AbortSignal) {
    this.#sources = sources;
    this.#logger = logger;
    this.#told = told;
    this.#signal = signal;
  }

  credentialsOf(host: string): Promise<RegistryCredentials> {
    const known = this.#known.get(host) ?? this.#ask(host);
    this.#known.set(host, known);
    return known;
  }

  async #ask(host: string): Promise<RegistryCredentials> {
    for (const source of this.#sources) {
      try {
        const credentials = await source.credentialsFor(host, this.#signal);
        if (credentials !== undefined) {
          return new Map([[host, credentials]]);
        }
      } catch (error) {
        this.#signal.throwIfAborted();
        if (this.#told.isNew(`${source.title} ${host}`, messageOf(error))) {
          this.#logger.log({ warning: "no credentials", source: source.title, host, err: messageOf(error) });
        }
      }
    }
    return new Map();
  }
}
