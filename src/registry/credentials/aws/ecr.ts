/** Amazon's registries: which of them to scan, and the tokens for them. Same as in Flux v1. */
import { type Logger, messageOf, printDuration } from "@weir/base";
import { type AwsIdentityOptions, awsKeys, configuredRegion } from "@weir/cloud/aws";
import type { HostCredentials, ImageName } from "@weir/flux";
import type { HostCredentialSource } from "../source.ts";
import { type EcrTokens, getEcrTokens } from "./ecr-api.ts";
import { type EcrScope, isEcrHost, isInEcrScope, parseEcrHost } from "./ecr-hosts.ts";

/** How long to wait after a region issued no tokens. */
const embargoMs = 600_000;
/** Tokens that expire sooner than this are renewed. */
const marginMs = 600_000;

export class Ecr implements HostCredentialSource {
  readonly title = "ECR";
  readonly #options: EcrOptions;
  readonly #tokens = new Map<string, EcrTokens>();
  readonly #embargoes = new Map<string, number>();
  readonly #accounts = new Map<string, Set<string>>();
  readonly #oddHosts = new Set<string>();
  #regions: Promise<readonly string[]> | undefined;
  #regionsAgainAt = Infinity;

  constructor(options: EcrOptions) {
    this.#options = options;
  }

  /** Detects the region if none is configured. Rejects if that fails. */
  async checkRegion(signal: AbortSignal): Promise<void> {
    await this.#knownRegions(signal);
  }

  /** True for images of other registries, and for images of Amazon's registries that should be scanned. */
  async isWanted({ domain }: ImageName, signal: AbortSignal): Promise<boolean> {
    const host = parseEcrHost(domain);
    if (host === undefined) {
      this.#tellOddHost(domain);
      return true;
    }
    const regions = await this.#knownRegions(signal).catch(() => []);
    return isInEcrScope(host, { ...this.#options.scope, regions });
  }

  async credentialsFor(domain: string, signal: AbortSignal): Promise<HostCredentials | undefined> {
    const host = parseEcrHost(domain);
    if (host === undefined) {
      return undefined;
    }
    const accounts = this.#accounts.get(host.region) ?? new Set();
    this.#accounts.set(host.region, accounts.add(host.account));
    const { clock } = this.#options;
    const kept = this.#tokens.get(host.region);
    const isFresh = kept?.byHost.has(domain) === true && kept.expires - marginMs > clock.now();
    if (!isFresh && (this.#embargoes.get(host.region) ?? 0) <= clock.now()) {
      await this.#refresh(host.region, [...accounts], signal);
    }
    return this.#tokens.get(host.region)?.byHost.get(domain);
  }

  async #refresh(region: string, accounts: readonly string[], signal: AbortSignal): Promise<void> {
    const { clock, logger, ecrUrl, transport } = this.#options;
    logger.log({ info: "attempting to refresh auth tokens", region, "account-ids": accounts.join(", ") });
    try {
      const keys = await awsKeys(region, this.#options, signal);
      const asked = { url: new URL(ecrUrl(region)), region, accounts };
      this.#tokens.set(region, await getEcrTokens(asked, { keys, transport, clock }, signal));
    } catch (error) {
      signal.throwIfAborted();
      this.#embargoes.set(region, clock.now() + embargoMs);
      const embargo = printDuration(embargoMs);
      logger.log({ error: "fetching credentials for AWS region", region, err: messageOf(error), embargo });
    }
  }

  #knownRegions(signal: AbortSignal): Promise<readonly string[]> {
    const { clock } = this.#options;
    if (this.#regions === undefined || clock.now() >= this.#regionsAgainAt) {
      this.#regionsAgainAt = Infinity;
      this.#regions = this.#findRegions(signal);
    }
    return this.#regions;
  }

  async #findRegions(signal: AbortSignal): Promise<readonly string[]> {
    const { regions, env, metadata, logger } = this.#options;
    if (regions.length > 0) {
      logger.log({ info: "using regions from local config" });
      return this.#told(regions);
    }
    try {
      const own = await configuredRegion(env);
      const source = own === "" ? "EC2 metadata service" : "local config";
      const region = own === "" ? await metadata.region(signal) : own;
      logger.log({ info: "detected cluster region", source, region });
      return this.#told([region]);
    } catch (error) {
      logger.log({ error: "fetching region for AWS", err: messageOf(error) });
      this.#regionsAgainAt = this.#options.clock.now() + embargoMs;
      this.#told([]);
      throw error;
    }
  }

  #told(regions: readonly string[]): readonly string[] {
    const { scope, logger } = this.#options;
    logger.log({
      info: "restricting ECR registry scans",
      regions: printList(regions),
      "include-ids": printList(scope.include),
      "exclude-ids": printList(scope.exclude),
    });
    return regions;
  }

  #tellOddHost(domain: string): void {
    if (isEcrHost(domain) && !this.#oddHosts.has(domain)) {
      this.#oddHosts.add(domain);
      const expected = "<account-id>.dkr.ecr.<region>.amazonaws.<extension>";
      this.#options.logger.log({ warning: `AWS registry domain not in expected format ${expected}`, domain });
    }
  }
}

export interface EcrOptions extends AwsIdentityOptions {
  /** The regions to scan; if empty, the region that the cluster is in. */
  readonly regions: readonly string[];
  readonly scope: Omit<EcrScope, "regions">;
  readonly ecrUrl: (region: string) => string;
  readonly logger: Logger;
}

/** Prints a list as Go does. */
function printList(items: readonly string[]): string {
  return `[${items.join(" ")}]`;
}
