import { type Clock, type Finding, type Logger, messageOf, passed, warning } from "@weir/base";
import { openEmbeddedCache } from "../../src/registry/cache/embedded.ts";
import { openStopgap } from "../../src/registry/cache/stopgap.ts";
import type { CacheStore, ListableStore } from "../../src/registry/cache/store.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import type { ServerAddress } from "../../src/registry/memcached/servers.ts";
import { createServiceResolver } from "../../src/registry/memcached/srv.ts";
import type { MemcachedSettings, RegistrySettings } from "./registry-settings.ts";

const maxEmbeddedBytes = 64 << 20;

/** A cache, and where it currently stores its data. */
export interface OpenedCache {
  readonly store: CacheStore;
  readonly look: () => Finding;
}

/** The subject of findings about the cache. */
export const cacheSubject = "image cache";

/** The remedy if memcached is unavailable. */
export const memcachedAdvice =
  "start memcached at the address given by --memcached-hostname, or set --memcached-hostname= to run without memcached";

/**
 * Opens memcached if it's configured and responds, or else a cache in this process, which is logged. If memcached is
 * configured, it's then tried again and again: in a cluster that's being set up or restarted, it may become available
 * shortly. Never rejects.
 */
export async function openImageCache(
  { memcached, cacheFile }: Pick<RegistrySettings, "memcached" | "cacheFile">,
  clock: Clock,
  logger: Logger,
): Promise<OpenedCache> {
  const memcachedLogger = logger.with({ component: "memcached" });
  const place = cacheFile === "" ? "the memory of this process" : cacheFile;
  if (memcached.hostname === "") {
    memcachedLogger.log({ warning: `image metadata is kept in ${place}`, err: "memcached isn't configured" });
    const store = openEmbedded(cacheFile, clock, memcachedLogger);
    return {
      store,
      look: () => passed(cacheSubject, `image metadata is kept in ${place}, without memcached`),
    };
  }
  const usesMemcached = passed(cacheSubject, `memcached at ${memcached.hostname} keeps image metadata`);
  const open = (): Promise<CacheStore> => openMemcachedOf(memcached, clock, memcachedLogger);
  try {
    return { store: await open(), look: () => usesMemcached };
  } catch (error) {
    const situation = `image metadata is kept in ${place} until memcached responds`;
    memcachedLogger.log({ warning: situation, err: messageOf(error) });
    const stopgap = openEmbedded(cacheFile, clock, memcachedLogger);
    let finding = warning(cacheSubject, `${situation}: ${messageOf(error)}`, memcachedAdvice);
    const onTakeover = (items: number): void => {
      finding = usesMemcached;
      memcachedLogger.log({ info: "memcached responds; image metadata is kept there from now on", items });
    };
    return { store: openStopgap({ stopgap, open, onTakeover, clock }), look: () => finding };
  }
}

function openMemcachedOf(settings: MemcachedSettings, clock: Clock, logger: Logger): Promise<CacheStore> {
  const findServers = (): ReturnType<typeof findMemcached> => findMemcached(settings);
  return openMemcached({ findServers, timeoutMs: settings.timeout, clock, logger });
}

/** Scanning works even if the file can't be used. */
function openEmbedded(file: string, clock: Clock, logger: Logger): ListableStore {
  const inMemory = { maxBytes: maxEmbeddedBytes, clock };
  try {
    return openEmbeddedCache(file === "" ? inMemory : { ...inMemory, file });
  } catch (error) {
    logger.log({ warning: "image metadata is kept in the memory of this process", err: messageOf(error) });
    return openEmbeddedCache(inMemory);
  }
}

/** The servers of the service. Unlike in Flux v1, falls back to the host and port if DNS doesn't know the service. */
async function findMemcached({
  hostname,
  port,
  service,
}: MemcachedSettings): Promise<readonly ServerAddress[]> {
  const fixed = { host: hostname, port };
  return service === "" ? [fixed] : createServiceResolver()(service, hostname).catch(() => [fixed]);
}
