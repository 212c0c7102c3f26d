import { isIP } from "node:net";

/** Tells of the host that somebody asked, with or without a port, whose it can be. */
export interface KnownHosts {
  /** True for what only we can be asked by. */
  readonly isOurs: (host: string) => boolean;
  /** True for what somebody listed: the names of reverse proxies. */
  readonly isListed: (host: string) => boolean;
  /** True for `<service>.<namespace>` of our own namespace: what programs in the cluster ask, and a name on the web. */
  readonly isNeighbour: (host: string) => boolean;
}

/**
 * The hosts by which a browser may ask: those that nobody on the web can own, and those that are listed. A page can
 * lead a name of its own to our address (DNS rebinding), but not an address, a name without a dot, or a name that
 * only this machine or the cluster's DNS knows. So a pod is known by its addresses, its hostname and the short names
 * of its Services; and by `<service>.<namespace>.svc` with and without the cluster's domain, where the search list
 * of /etc/resolv.conf tells both. `<service>.<namespace>` alone does not count for browsers: `flux.dev` is a name on
 * the web.
 */
export function knownHosts(listed: readonly string[], resolvConf: string): KnownHosts {
  const names = new Set(listed.map(tidyHost));
  const domains = clusterDomains(resolvConf);
  const suffixes = [
    ".localhost",
    ...domains.flatMap(({ namespace, domain }) => [`.${namespace}.svc.${domain}`, `.${namespace}.svc`]),
  ];
  const isListed = (host: string): boolean => names.has(tidyHost(host));
  return {
    isListed,
    isOurs: (host) => {
      const name = tidyHost(host);
      return (
        isListed(name) ||
        isIP(name) !== 0 ||
        /^[a-z0-9_-]+$/.test(name) ||
        suffixes.some((suffix) => name.endsWith(suffix))
      );
    },
    isNeighbour: (host) => {
      const [service = "", namespace, ...more] = tidyHost(host).split(".");
      return service !== "" && more.length === 0 && domains.some((domain) => domain.namespace === namespace);
    },
  };
}

/** A host as it is compared: in lower case, without its port, brackets and final dot. */
export function tidyHost(host: string): string {
  const lower = host.trim().toLowerCase();
  const bare = isIP(lower) === 0 ? lower.replace(/:\d*$/, "") : lower;
  return bare.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

interface ClusterDomain {
  readonly namespace: string;
  readonly domain: string;
}

/** In a pod the search list begins with `<namespace>.svc.<domain>`. */
function clusterDomains(resolvConf: string): readonly ClusterDomain[] {
  const searched = [...resolvConf.matchAll(/^\s*search\s+(.*)$/gm)].flatMap(([, names = ""]) =>
    names.trim().split(/\s+/),
  );
  return searched.map(tidyHost).flatMap((name) => {
    const [, namespace, domain] = /^([^.]+)\.svc\.([^.].*)$/.exec(name) ?? [];
    return namespace === undefined || domain === undefined ? [] : [{ namespace, domain }];
  });
}
