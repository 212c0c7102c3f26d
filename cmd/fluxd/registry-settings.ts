import type { FluxdFlags } from "./flags.ts";

/** How image registries are scanned. Times in milliseconds. */
export interface RegistrySettings {
  /** Images are not scanned at all. */
  readonly disabled: boolean;
  /** Requests a second to one host, at most. */
  readonly rps: number;
  /** Requests to one host at a time. */
  readonly burst: number;
  /** Log every request and decision. */
  readonly trace: boolean;
  readonly insecureHosts: readonly string[];
  /** Globs over canonical image names. */
  readonly exclude: readonly string[];
  /** Globs over canonical image names; empty for all. */
  readonly include: readonly string[];
  /** Globs over canonical names of images that were made when their labels say so. */
  readonly useLabels: readonly string[];
  readonly ecr: EcrSettings;
  /** "" for none. */
  readonly dockerConfig: string;
  readonly memcached: MemcachedSettings;
  /** Where image metadata is kept without memcached; "" for memory. */
  readonly cacheFile: string;
}

/** Which of Amazon's registries are scanned. */
export interface EcrSettings {
  /** Empty for the region that we are in. */
  readonly regions: readonly string[];
  /** Accounts; empty for all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** fluxd does not start where AWS cannot be asked. */
  readonly required: boolean;
}

/** Where memcached is. */
export interface MemcachedSettings {
  /** "" for no memcached. */
  readonly hostname: string;
  readonly port: number;
  readonly timeout: number;
  /** The service that DNS has servers of; "" for the one server at host and port. */
  readonly service: string;
}

/** What the flags say of registries. */
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
