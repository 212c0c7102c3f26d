import type { FluxdFlags } from "../../src/fluxd-flags/flags.ts";

/** How to scan image registries. Times are in milliseconds. */
export interface RegistrySettings {
  /** Don't scan images at all. */
  readonly disabled: boolean;
  /** The maximum number of requests per second to one host. */
  readonly rps: number;
  /** The maximum number of requests to one host at a time. */
  readonly burst: number;
  /** Log every request and decision. */
  readonly trace: boolean;
  readonly insecureHosts: readonly string[];
  /** Globs over canonical image names. */
  readonly exclude: readonly string[];
  /** Globs over canonical image names; empty for all. */
  readonly include: readonly string[];
  /** Globs over canonical names of images whose creation time comes from their labels. */
  readonly useLabels: readonly string[];
  readonly ecr: EcrSettings;
  /** "" for none. */
  readonly dockerConfig: string;
  readonly memcached: MemcachedSettings;
  /** The file for image metadata without memcached; "" for memory. */
  readonly cacheFile: string;
}

/** Which of Amazon's registries to scan. */
export interface EcrSettings {
  /** Empty for the region of the cluster. */
  readonly regions: readonly string[];
  /** Account IDs; empty for all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Don't start fluxd if AWS isn't available. */
  readonly required: boolean;
}

/** The address of memcached. */
export interface MemcachedSettings {
  /** "" for no memcached. */
  readonly hostname: string;
  readonly port: number;
  readonly timeout: number;
  /** The DNS service that lists the servers; "" for a single server at host and port. */
  readonly service: string;
}

/** The registry settings from the flags. */
export function registrySettingsOf(flags: FluxdFlags): RegistrySettings {
  return {
    disabled: flags.registryDisableScanning.value,
    rps: flags.registryRps.value,
    burst: flags.registryBurst.value,
    trace: flags.registryTrace.value,
    insecureHosts: flags.registryInsecureHost.value,
    exclude: flags.registryExcludeImage.value,
    include: flags.registryIncludeImage.value,
    useLabels: flags.registryUseLabels.value,
    ecr: {
      regions: flags.registryEcrRegion.value,
      include: flags.registryEcrIncludeId.value,
      exclude: flags.registryEcrExcludeId.value,
      required: flags.registryRequire.value.includes("ecr"),
    },
    dockerConfig: flags.dockerConfig.value,
    memcached: {
      hostname: flags.memcachedHostname.value,
      port: flags.memcachedPort.value,
      timeout: flags.memcachedTimeout.value,
      service: flags.memcachedService.value,
    },
    cacheFile: flags.registryCacheFile.value,
  };
}
