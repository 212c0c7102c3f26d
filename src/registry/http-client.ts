/**
 * Registries over HTTP.
 * https://distribution.github.io/distribution/spec/api/
 */
import { registryLimits } from "@weir/base";
import { type ImageName, printHostCredentials, printImageName, type RegistryCredentials } from "@weir/flux";
import type { HttpAnswer } from "@weir/http";
import { WireError } from "@weir/http";
import type { Visitor } from "./auth/host-auth.ts";
import type { FetchedImage, RegistryClients, RepositoryClient } from "./client.ts";
import { RegistryError } from "./errors.ts";
import { fetchImage } from "./fetch-image.ts";
import type { HostOptions } from "./host-requests.ts";
import { type Operation, type Pass, runOperation } from "./operation.ts";
import { RegistryHost } from "./registry-host.ts";
import { isDigest } from "./wire/digest.ts";
import { acceptedManifests } from "./wire/media-types.ts";
import { nextPage, parseTagPage } from "./wire/tag-list.ts";

/** How to reach registries. */
export interface ClientOptions extends Omit<HostOptions, "domain" | "insecure"> {
  /** "host" or "host:port"; a host without a port stands for all its ports. */
  readonly insecureHosts: readonly string[];
  /** How long an operation can take, in milliseconds; a minute by default, as in Flux v1. */
  readonly timeoutMs?: number;
}

const usualTimeoutMs = 60_000;

/** The largest page size that all registries accept. */
const tagsPerPage = 1_000;

/** Clients that share what they learn about a host. */
export class HttpRegistryClients implements RegistryClients {
  readonly #options: ClientOptions;
  readonly #hosts = new Map<string, RegistryHost>();

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  clientFor(repository: ImageName, credentials: RegistryCredentials): RepositoryClient {
    checkRepositoryName(repository);
    const { domain, image } = repository;
    const own = credentials.get(domain);
    const { trace, logger } = this.#options;
    if (trace) {
      logger.log({ repo: printImageName(repository), auth: printHostCredentials(domain, own) });
    }
    return new HttpRepositoryClient(repository, this.#hostOf(domain), this.#options, {
      repository: image,
      credentials: own,
    });
  }

  succeed({ domain }: ImageName): void {
    this.#hostOf(domain).recover();
  }

  #hostOf(domain: string): RegistryHost {
    const known = this.#hosts.get(domain);
    if (known !== undefined) {
      return known;
    }
    const insecure = isInsecureHost(domain, this.#options.insecureHosts);
    const host = new RegistryHost({ ...this.#options, domain, insecure });
    this.#hosts.set(domain, host);
    return host;
  }
}

class HttpRepositoryClient implements RepositoryClient {
  readonly #name: ImageName;
  readonly #host: RegistryHost;
  readonly #options: ClientOptions;
  readonly #visitor: Visitor;
  readonly #pass: Pass = { slowedDown: false };

  constructor(name: ImageName, host: RegistryHost, options: ClientOptions, visitor: Visitor) {
    this.#name = name;
    this.#host = host;
    this.#options = options;
    this.#visitor = visitor;
  }

  tags(signal: AbortSignal): Promise<readonly string[]> {
    return this.#operate("", signal, (operation) => this.#allTags(operation));
  }

  image(tag: string, signal: AbortSignal): Promise<FetchedImage> {
    const ref = { ...this.#name, tag, sha: "" };
    return this.#operate(tag, signal, (operation) =>
      fetchImage(ref, {
        manifest: (reference) => this.#manifest("GET", reference, operation),
        blob: (digest) => this.#blob(digest, operation),
      }),
    );
  }

  digest(tag: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#operate(tag, signal, async (operation) => {
      const answer = await this.#manifest("HEAD", tag, operation).catch(undefinedWhereRefused);
      const digest = answer?.header("docker-content-digest") ?? "";
      return isDigest(digest) ? digest : undefined;
    });
  }

  async #allTags(operation: Operation): Promise<readonly string[]> {
    const tags = new Set<string>();
    let path: string | undefined = this.#path(`tags/list?n=${tagsPerPage}`);
    for (let page = 1; path !== undefined; page += 1) {
      const request = { method: "GET", path, maxBytes: registryLimits.tagPage } as const;
      const answer = await this.#host.ask(request, this.#visitor, operation);
      const before = tags.size;
      parseTagPage(answer.body).forEach((tag) => tags.add(tag));
      const next = nextPage(answer.header("link"));
      if (tags.size > registryLimits.tags) {
        throw new WireError(`the repository has more than ${registryLimits.tags} tags, which is the limit`);
      }
      if (next !== undefined && (page === registryLimits.tagPages || tags.size === before)) {
        throw new WireError(
          `the list of tags has more than ${registryLimits.tagPages} pages, or a page without new tags`,
        );
      }
      path = next === undefined ? undefined : this.#pathOf(next, path);
    }
    return [...tags];
  }

  /** A registry behind a proxy may not know its own scheme or name, so only the path counts. */
  #pathOf(link: string, before: string): string {
    const next = URL.parse(link, new URL(before, "https://registry.invalid").href);
    if (next === null) {
      throw new WireError("the list of tags has an invalid link to the next page");
    }
    return next.pathname + next.search;
  }

  #manifest(method: "GET" | "HEAD", reference: string, operation: Operation): Promise<HttpAnswer> {
    const path = this.#path(`manifests/${reference}`);
    const request = { method, path, accept: acceptedManifests, maxBytes: registryLimits.manifest };
    return this.#host.ask(request, this.#visitor, operation).catch((error: unknown) => {
      throw error instanceof RegistryError && error.failure === "unknown"
        ? new RegistryError(
            { image: operation.image, failure: "unknown", why: "manifest unknown" },
            { cause: error },
          )
        : error;
    });
  }

  #blob(digest: string, operation: Operation): Promise<HttpAnswer> {
    const request = {
      method: "GET",
      path: this.#path(`blobs/${digest}`),
      maxBytes: registryLimits.config,
    } as const;
    return this.#host.ask(request, this.#visitor, operation);
  }

  #path(rest: string): string {
    return `/v2/${this.#name.image}/${rest}`;
  }

  #operate<T>(tag: string, signal: AbortSignal, work: (operation: Operation) => Promise<T>): Promise<T> {
    const { clock, timeoutMs: limitMs = usualTimeoutMs } = this.#options;
    const image = printImageName(this.#name) + (tag === "" ? "" : `:${tag}`);
    return runOperation({ image, pass: this.#pass, limitMs, clock, signal }, work);
  }
}

/** Some servers don't support HEAD for manifests. */
function undefinedWhereRefused(error: unknown): undefined {
  if (error instanceof RegistryError && error.failure === "refused") {
    return undefined;
  }
  throw error;
}

/** True if the user allows the host, or all its ports, without verified TLS. */
function isInsecureHost(domain: string, insecureHosts: readonly string[]): boolean {
  const withoutPort = domain.replace(/:\d+$/, "");
  return insecureHosts.includes(domain) || insecureHosts.includes(withoutPort);
}

const hostPattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const pathPattern = /^[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*(?:\/[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*)*$/;

/**
 * Throws RegistryError for an invalid name. Names come from manifests that anybody may have written, and become part of
 * a URL.
 */
function checkRepositoryName(name: ImageName): void {
  const text = printImageName(name);
  if (!hostPattern.test(name.domain) || !URL.canParse(`https://${name.domain}/`)) {
    throw new RegistryError({
      image: text,
      failure: "refused",
      why: "the registry in its name isn't a valid host name",
    });
  }
  if (!pathPattern.test(name.image) || name.image.length > 255) {
    throw new RegistryError({
      image: text,
      failure: "refused",
      why: "this isn't a valid repository name",
    });
  }
}
