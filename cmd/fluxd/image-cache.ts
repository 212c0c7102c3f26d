import { type Clock, type Finding, type Logger, messageOf, passed, warning } from "@weir/base";
import { openEmbeddedCache } from "../../src/registry/cache/embedded.ts";
import { openStopgap } from "../../src/registry/cache/stopgap.ts";
import type { CacheStore, ListableStore } from "../../src/registry/cache/store.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import type { ServerAddress } from "../../src/registry/memcached/servers.ts";
import { createServiceResolver } from "../../src/registry/memcached/srv.ts";
import type { MemcachedSettings, RegistrySettings } from "./registry-settings.ts";

const maxEmbeddedBytes = 64 << 20;

/** A cache, and where it keeps things at the moment. */
export interface OpenedCache {
  readonly store: CacheStore;
  readonly look: () => Finding;
}

/** What is looked at, in findings. */
export const cacheSubject = "image cache";

/** What to do where memcached is away. */
export const memcachedAdvice =
  "start memcached at the address given by --memcached-hostname, or set --memcached-hostname= to run without memcached";

/**
 * Memcached, where it is configured and answers; else a cache in this process, which is said in the log. Where
 * memcached is configured it is looked for from then on: in a cluster that is set up, or started anew, it may well be
 * there a moment later. Never rejects.
 */
export async function openImageCache(
  { memcached, cacheFile }: Pick<RegistrySettings, "memcached" | "cacheFile">,
  clock: Clock,
  logger: Logger,
): Promise<OpenedCache> {
  const memcachedLogger = logger.with({ component: "memcached" });
  const place = cacheFile === "" ? "the memory of this process" : cacheFile;
  if (memcached.hostname === "") {
    memcachedLogger.log({ warning: `image metadata is kept in ${place}`, err: "no memcached is configured" });
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
    const situation = `image metadata is kept in ${place} until memcached answers`;
    memcachedLogger.log({ warning: situation, err: messageOf(error) });
    const stopgap = openEmbedded(cacheFile, clock, memcachedLogger);
    let finding = warning(cacheSubject, `${situation}: ${messageOf(error)}`, memcachedAdvice);
    const onTakeover = (items: number): void => {
      finding = usesMemcached;
      memcachedLogger.log({ info: "memcached answers, image metadata is kept there from now on", items });
    };
    return { store: openStopgap({ stopgap, open, onTakeover, clock }), look: () => finding };
  }
}

function openMemcachedOf(settings: MemcachedSettings, clock: Clock, logger: Logger): Promise<CacheStore> {
  const findServers = (): ReturnType<typeof findMemcached> => findMemcached(settings);
  return openMemcached({ findServers, timeoutMs: settings.timeout, clock, logger });
}

/** A file that cannot be used keeps nobody from scanning. */
function openEmbedded(file: string, clock: Clock, logger: Logger): ListableStore {
  const inMemory = { maxBytes: maxEmbeddedBytes, clock };
  try {
    return openEmbeddedCache(file === "" ? inMemory : { ...inMemory, file });
  } catch (error) {
    logger.log({ warning: "image metadata is kept in the memory of this process", err: messageOf(error) });
    return openEmbeddedCache(inMemory);
  }
}

/** The servers of the service; unlike Flux v1, the host and port where DNS knows no such service. */
async function findMemcached({
  hostname,
  port,
  service,
}: MemcachedSettings): Promise<readonly ServerAddress[]> {
  const fixed = { host: hostname, port };
  return service === "" ? [fixed] : createServiceResolver()(service, hostname).catch(() => [fixed]);
}
