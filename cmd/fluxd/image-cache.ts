import type { Clock } from "../../src/base/clock.ts";
import { messageOf } from "../../src/base/errors.ts";
import type { Logger } from "../../src/base/logger.ts";
import { openEmbeddedCache } from "../../src/registry/cache/embedded.ts";
import type { CacheStore } from "../../src/registry/cache/store.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import type { ServerAddress } from "../../src/registry/memcached/servers.ts";
import { createServiceResolver } from "../../src/registry/memcached/srv.ts";
import type { MemcachedSettings } from "./registry-settings.ts";

const maxEmbeddedBytes = 64 << 20;

/**
 * Memcached, where it is configured and answers; else a cache in this process, which is said in the log. Never
 * rejects.
 */
export async function openImageCache(
  settings: MemcachedSettings,
  clock: Clock,
  logger: Logger,
): Promise<CacheStore> {
  const { timeout: timeoutMs, hostname } = settings;
  const memcachedLogger = logger.with({ component: "memcached" });
  try {
    if (hostname === "") {
      throw new Error("no memcached is configured");
    }
    const findServers = (): Promise<readonly ServerAddress[]> => findMemcached(settings);
    return await openMemcached({ findServers, timeoutMs, clock, logger: memcachedLogger });
  } catch (error) {
    memcachedLogger.log({
      warning: "image metadata is kept in the memory of this process until it ends",
      err: messageOf(error),
    });
    return openEmbeddedCache({ maxBytes: maxEmbeddedBytes, clock });
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
