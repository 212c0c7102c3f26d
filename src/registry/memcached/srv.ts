import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { type ServerAddress, sortServers } from "./servers.ts";

/** Finds the servers of a service; rejects if there are none. */
export type ResolveService = (service: string, hostname: string) => Promise<readonly ServerAddress[]>;

/**
 * Resolves _service._tcp.hostname in DNS, and applies the machine's search domains. Node resolves names as they are,
 * but in a pod, "memcached" is only the first part of a name.
 */
export function createServiceResolver(nameServers: readonly string[] = []): ResolveService {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  if (nameServers.length > 0) {
    resolver.setServers(nameServers);
  }
  return async (service, hostname) => {
    const configuration = await readFile("/etc/resolv.conf", "utf8").catch(() => "");
    const errors: unknown[] = [];
    for (const name of searchedNames(`_${service}._tcp.${hostname}`, configuration)) {
      try {
        const records = await resolver.resolveSrv(name);
        return sortServers(records.map((each) => ({ host: each.name, port: each.port })));
      } catch (error) {
        errors.push(error);
      }
    }
    throw new Error(`no SRV records of _${service}._tcp.${hostname}`, { cause: errors.at(-1) });
  };
}

/** The full names that a name can stand for according to resolv.conf(5), in the order in which to try them. */
export function searchedNames(name: string, resolvConf: string): readonly string[] {
  if (name.endsWith(".")) {
    return [name.slice(0, -1)];
  }
  const ndots = Number(/^\s*options\b.*\bndots:(\d+)/m.exec(resolvConf)?.[1] ?? 1);
  const domains = /^\s*search\s+(.*)$/m.exec(resolvConf)?.[1]?.trim().split(/\s+/) ?? [];
  const searched = domains.map((domain) => `${name}.${domain.replace(/\.$/, "")}`);
  return name.split(".").length > ndots ? [name, ...searched] : [...searched, name];
}
