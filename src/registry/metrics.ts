import type { Clock, CounterDeclaration, GaugeDeclaration, HistogramDeclaration, Metrics } from "@weir/base";
import type { ImageRegistry } from "@weir/flux";
import type { CacheStore } from "./cache/store.ts";
import type { RegistryClients, RepositoryClient } from "./client.ts";

/** Measurements of scanning repositories. */
export interface ScanMetrics {
  countScan(success: boolean): void;
  /** How many of the repositories in use are scanned, couldn't be scanned last time, or weren't scanned yet. */
  setRepositories(counts: {
    readonly scanned: number;
    readonly failed: number;
    readonly waiting: number;
  }): void;
}

/** Measurements of reading image metadata; durations in seconds. */
export interface RegistryMetrics extends ScanMetrics {
  /** Measures requests to registries, for tags and for images. */
  clients(clients: RegistryClients): RegistryClients;
  /** Measures the cache. As in Flux v1, a cache miss doesn't count as a success. */
  store(store: CacheStore): CacheStore;
  /** Measures the daemon's queries. */
  registry(registry: ImageRegistry): ImageRegistry;
}

const success = ["true", "false"] as const;

/** The default buckets of Go's Prometheus client. */
const buckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics for image registries and their cache as a table. None is by image or registry: everyone who can create a
 * workload chooses such names.
 */
export const registryMetrics = {
  scans: {
    type: "counter",
    name: "weir_registry_scans_total",
    help: "Scans of image repositories.",
    labels: { success },
    meaning:
      "Each repository in use is scanned at most once a minute, and when a registry has something new. None with `--registry-disable-scanning`.",
    advice: "See `weir_image_repositories`.",
  },
  repositories: {
    type: "gauge",
    name: "weir_image_repositories",
    help: "Image repositories in use, by the result of their last scan.",
    labels: { state: ["scanned", "failed", "waiting"] },
    meaning: "`waiting`: not scanned since fluxd started.",
    advice:
      "While a repository is `failed`, its images aren't updated: `fluxctl check` names it and the reason. Often the credentials are missing or old, or the image is gone.",
  },
  client: {
    type: "histogram",
    name: "flux_client_fetch_duration_seconds",
    help: "Duration of remote image metadata requests, in seconds",
    labels: { kind: ["tags", "metadata"], success },
    buckets,
    meaning: "Requests to registries: the list of tags of a repository, or the metadata of one image.",
    advice:
      'If `success="false"` counts up, see `weir_image_repositories`. If requests are slow, the registry probably limits their rate: lower `--registry-rps`.',
  },
  registry: {
    type: "histogram",
    name: "flux_registry_fetch_duration_seconds",
    help: "Duration of image metadata requests (from cache), in seconds.",
    labels: { success },
    buckets,
    meaning: "What fluxd's own queries wait for image metadata, which comes from the cache.",
    advice: "If it's slow or fails, look at memcached.",
  },
  cache: {
    type: "histogram",
    name: "flux_cache_request_duration_seconds",
    help: "Duration of cache requests, in seconds.",
    labels: { method: ["GetKey", "SetKey"], success },
    buckets,
    meaning:
      'Requests to memcached, or to the cache in fluxd. As in Flux v1, what isn\'t in the cache counts as `success="false"`.',
    advice:
      'If `SetKey` has `success="false"`, memcached can\'t be reached. Many misses of `GetKey` hours after the start: memcached is too small.',
  },
} as const satisfies Readonly<Record<string, CounterDeclaration | GaugeDeclaration | HistogramDeclaration>>;

/** Opens the metrics for image registries and their cache. */
export function openRegistryMetrics(metrics: Metrics, clock: Clock): RegistryMetrics {
  const scans = metrics.counter(registryMetrics.scans);
  const repositories = metrics.gauge(registryMetrics.repositories);
  const client = metrics.histogram(registryMetrics.client);
  const registry = metrics.histogram(registryMetrics.registry);
  const cache = metrics.histogram(registryMetrics.cache);
  return {
    countScan: (success) => scans.add({ success: `${success}` }),
    setRepositories(counts) {
      for (const state of registryMetrics.repositories.labels.state) {
        repositories.set({ state }, counts[state]);
      }
    },
    clients: (next) =>
      meterClients(next, new Stopwatch((labels, seconds) => client.observe(labels, seconds), clock)),
    store: (next) =>
      meterStore(next, new Stopwatch((labels, seconds) => cache.observe(labels, seconds), clock)),
    registry: (next) =>
      meterRegistry(next, new Stopwatch((labels, seconds) => registry.observe(labels, seconds), clock)),
  };
}

interface Outcome {
  readonly success: "true" | "false";
}

/** Records how long something took and whether it succeeded. */
class Stopwatch<Kind extends object> {
  readonly #observe: (labels: Kind & Outcome, seconds: number) => void;
  readonly #clock: Clock;

  constructor(observe: (labels: Kind & Outcome, seconds: number) => void, clock: Clock) {
    this.#observe = observe;
    this.#clock = clock;
  }

  async time<T>(
    kind: Kind,
    work: () => Promise<T>,
    isSuccess: (value: T) => boolean = () => true,
  ): Promise<T> {
    const start = this.#clock.now();
    let success = false;
    try {
      const value = await work();
      success = isSuccess(value);
      return value;
    } finally {
      const seconds = (this.#clock.now() - start) / 1000;
      this.#observe({ ...kind, success: `${success}` }, seconds);
    }
  }
}

type RequestWatch = Stopwatch<{ readonly kind: "tags" | "metadata" }>;

function meterClients(next: RegistryClients, watch: RequestWatch): RegistryClients {
  return {
    clientFor: (repository, credentials) => meterClient(next.clientFor(repository, credentials), watch),
    succeed: (repository) => next.succeed(repository),
  };
}

function meterClient(next: RepositoryClient, watch: RequestWatch): RepositoryClient {
  return {
    tags: (signal) => watch.time({ kind: "tags" }, () => next.tags(signal)),
    image: (tag, signal) => watch.time({ kind: "metadata" }, () => next.image(tag, signal)),
    digest: (tag, signal) => watch.time({ kind: "metadata" }, () => next.digest(tag, signal)),
  };
}

function meterStore(
  next: CacheStore,
  watch: Stopwatch<{ readonly method: "GetKey" | "SetKey" }>,
): CacheStore {
  return {
    get: (key) =>
      watch.time(
        { method: "GetKey" },
        () => next.get(key),
        (item) => item !== undefined,
      ),
    set: (key, item) => watch.time({ method: "SetKey" }, () => next.set(key, item)),
    close: () => next.close(),
  };
}

function meterRegistry(next: ImageRegistry, watch: Stopwatch<object>): ImageRegistry {
  return {
    repositoryMetadata: (name, signal) => watch.time({}, () => next.repositoryMetadata(name, signal)),
    image: (ref, signal) => watch.time({}, () => next.image(ref, signal)),
    // Counted as requests to registries.
    confirm: (name, tags, signal) => next.confirm(name, tags, signal),
  };
}
