/** What the host names of Amazon's registries contain. Pure. */

/** A registry: "<account>.dkr.ecr.<region>.amazonaws.com". */
export interface EcrHost {
  readonly account: string;
  readonly region: string;
}

/** The registries to scan. */
export interface EcrScope {
  readonly regions: readonly string[];
  /** Account IDs; empty for all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** True for a host name in Amazon's domains for registries. */
export function isEcrHost(domain: string): boolean {
  return domain.endsWith(".amazonaws.com") || domain.endsWith(".amazonaws.com.cn");
}

/** Undefined for a host that isn't one of Amazon's registries. */
export function parseEcrHost(domain: string): EcrHost | undefined {
  const [account = "", dkr, ecr, region = ""] = domain.split(".");
  return isEcrHost(domain) && dkr === "dkr" && ecr === "ecr" ? { account, region } : undefined;
}

/** True if images of the registry should be scanned. */
export function isInEcrScope({ account, region }: EcrHost, { regions, include, exclude }: EcrScope): boolean {
  return (
    regions.includes(region) &&
    !exclude.includes(account) &&
    (include.length === 0 || include.includes(account))
  );
}
