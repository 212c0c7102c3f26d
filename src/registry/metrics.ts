import type { Clock, Histogram, LabelValues, Metrics } from "@weir/base";
import type { ImageRegistry } from "../image/registry.ts";
import type { CacheStore } from "./cache/store.ts";
import type { RegistryClients, RepositoryClient } from "./client.ts";

/** Measurements of reading image metadata, under Flux v1's names; durations in seconds. */
export interface RegistryMetrics {
  /** Measures requests to registries, for tags and for images. */
  clients(clients: RegistryClients): RegistryClients;
  /** Measures the cache. As in Flux v1, a cache miss doesn't count as a success. */
  store(store: CacheStore): CacheStore;
  /** Measures the daemon's queries. */
  registry(registry: ImageRegistry): ImageRegistry;
}

/** The default buckets of Go's Prometheus client. */
const buckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Declares the metrics for image registries and their cache. */
export function declareRegistryMetrics(metrics: Metrics, clock: Clock): RegistryMetrics {
  const client = metrics.histogram({
    name: "flux_client_fetch_duration_seconds",
    help: "Duration of remote image metadata requests, in seconds",
    labels: ["kind", "success"],
    buckets,
  });
  const registry = metrics.histogram({
    name: "flux_registry_fetch_duration_seconds",
    help: "Duration of image metadata requests (from cache), in seconds.",
    labels: ["success"],
    buckets,
  });
  const cache = metrics.histogram({
    name: "flux_cache_request_duration_seconds",
    help: "Duration of cache requests, in seconds.",
    labels: ["method", "success"],
    buckets,
  });
  return {
    clients: (next) => meterClients(next, new Stopwatch(client, clock)),
    store: (next) => meterStore(next, new Stopwatch(cache, clock)),
    registry: (next) => meterRegistry(next, new Stopwatch(registry, clock)),
  };
}

/** Records in a histogram how long something took and whether it succeeded. */
class Stopwatch {
  readonly #histogram: Histogram;
  readonly #clock: Clock;

  constructor(histogram: Histogram, clock: Clock) {
    this.#histogram = histogram;
    this.#clock = clock;
  }

  async time<T>(
    labels: LabelValues,
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
      this.#histogram.observe({ ...labels, success: String(success) }, seconds);
    }
  }
}

function meterClients(next: RegistryClients, watch: Stopwatch): RegistryClients {
  return {
    clientFor: (repository, credentials) => meterClient(next.clientFor(repository, credentials), watch),
    succeed: (repository) => next.succeed(repository),
  };
}

function meterClient(next: RepositoryClient, watch: Stopwatch): RepositoryClient {
  return {
    tags: (signal) => watch.time({ kind: "tags" }, () => next.tags(signal)),
    image: (tag, signal) => watch.time({ kind: "metadata" }, () => next.image(tag, signal)),
    digest: (tag, signal) => watch.time({ kind: "metadata" }, () => next.digest(tag, signal)),
  };
}

function meterStore(next: CacheStore, watch: Stopwatch): CacheStore {
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

function meterRegistry(next: ImageRegistry, watch: Stopwatch): ImageRegistry {
  return {
    repositoryMetadata: (name, signal) => watch.time({}, () => next.repositoryMetadata(name, signal)),
    image: (ref, signal) => watch.time({}, () => next.image(ref, signal)),
    // Counted as requests to registries.
    confirm: (name, tags, signal) => next.confirm(name, tags, signal),
  };
}
