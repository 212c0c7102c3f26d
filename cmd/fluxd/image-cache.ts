import type { Clock } from "../../src/base/clock.ts";
import { messageOf } from "../../src/base/errors.ts";
import type { Logger } from "../../src/base/logger.ts";
import { openEmbeddedCache } from "../../src/registry/cache/embedded.ts";
import type { CacheStore } from "../../src/registry/cache/store.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import type { ServerAddress } from "../../src/registry/memcached/servers.ts";
import { createServiceResolver } from "../../src/registry/memcached/srv.ts";
import type { MemcachedSettings, RegistrySettings } from "./registry-settings.ts";

const maxEmbeddedBytes = 64 << 20;

/**
 * Memcached, where it is configured and answers; else a cache in this process, which is said in the log. Never
 * rejects.
 */
export async function openImageCache(
  { memcached, cacheFile }: Pick<RegistrySettings, "memcached" | "cacheFile">,
  clock: Clock,
  logger: Logger,
): Promise<CacheStore> {
  const memcachedLogger = logger.with({ component: "memcached" });
  try {
    return await openMemcachedOf(memcached, clock, memcachedLogger);
  } catch (error) {
    const place = cacheFile === "" ? "the memory of this process" : cacheFile;
    memcachedLogger.log({ warning: `image metadata is kept in ${place}`, err: messageOf(error) });
    return openEmbedded(cacheFile, clock, memcachedLogger);
  }
}

async function openMemcachedOf(
  settings: MemcachedSettings,
  clock: Clock,
  logger: Logger,
): Promise<CacheStore> {
  const { timeout: timeoutMs, hostname } = settings;
  if (hostname === "") {
    throw new Error("no memcached is configured");
  }
  return openMemcached({ findServers: () => findMemcached(settings), timeoutMs, clock, logger });
}

/** A file that cannot be used keeps nobody from scanning. */
function openEmbedded(file: string, clock: Clock, logger: Logger): CacheStore {
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
