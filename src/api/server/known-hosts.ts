import { isIP } from "node:net";

/** Classifies the host of a request, with or without a port. */
export interface KnownHosts {
  /** True for names that can only belong to fluxd. */
  readonly isOurs: (host: string) => boolean;
  /** True for listed names: the names of reverse proxies. */
  readonly isListed: (host: string) => boolean;
  /**
   * True for `<service>.<namespace>` in fluxd's own namespace: programs in the cluster use it, but it can
   * also be a name on the web.
   */
  readonly isNeighbour: (host: string) => boolean;
}

/**
 * The host names that browsers can use: names that nobody on the web can own, and listed names. A page can
 * point its own name to fluxd's address (DNS rebinding), but it can't do that with an IP address, a name
 * without a dot, or a name that only this machine or the cluster's DNS resolves. So a pod is known by its
 * addresses, its hostname, and the short names of its Services, and by `<service>.<namespace>.svc` with and
 * without the cluster's domain, both taken from the search list in /etc/resolv.conf. `<service>.<namespace>`
 * alone isn't allowed for browsers: `flux.dev` is a name on the web.
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

/** A host in normalized form: lowercase, without port, brackets, and trailing dot. */
export function tidyHost(host: string): string {
  const lower = host.trim().toLowerCase();
  const bare = isIP(lower) === 0 ? lower.replace(/:\d*$/, "") : lower;
  return bare.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

interface ClusterDomain {
  readonly namespace: string;
  readonly domain: string;
}

/** In a pod, the search list begins with `<namespace>.svc.<domain>`. */
function clusterDomains(resolvConf: string): readonly ClusterDomain[] {
  const searched = [...resolvConf.matchAll(/^\s*search\s+(.*)$/gm)].flatMap(([, names = ""]) =>
    names.trim().split(/\s+/),
  );
  return searched.map(tidyHost).flatMap((name) => {
    const [, namespace, domain] = /^([^.]+)\.svc\.([^.].*)$/.exec(name) ?? [];
    return namespace === undefined || domain === undefined ? [] : [{ namespace, domain }];
  });
}
