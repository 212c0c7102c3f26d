/** What the names of Amazon's registries tell. Pure. */

/** A registry: "<account>.dkr.ecr.<region>.amazonaws.com". */
export interface EcrHost {
  readonly account: string;
  readonly region: string;
}

/** Which registries are scanned. */
export interface EcrScope {
  readonly regions: readonly string[];
  /** Accounts; empty for all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** True for a host of Amazon. */
export function isEcrHost(domain: string): boolean {
  return domain.endsWith(".amazonaws.com") || domain.endsWith(".amazonaws.com.cn");
}

/** Undefined for a host that is no registry of Amazon. */
export function parseEcrHost(domain: string): EcrHost | undefined {
  const [account = "", dkr, ecr, region = ""] = domain.split(".");
  return isEcrHost(domain) && dkr === "dkr" && ecr === "ecr" ? { account, region } : undefined;
}

/** True where the images of a registry are to be scanned. */
export function isInEcrScope({ account, region }: EcrHost, { regions, include, exclude }: EcrScope): boolean {
  return (
    regions.includes(region) &&
    !exclude.includes(account) &&
    (include.length === 0 || include.includes(account))
  );
}
