import type { Environment, LogFields } from "@weir/base";
import { flagsOf, parseArguments, printFlagUsages } from "@weir/cli";
import { allowedNamespacesOf } from "../../src/fluxd-flags/allowed-namespaces.ts";
import { declareFluxdFlags, type FluxdFlags, inMemory } from "../../src/fluxd-flags/flags.ts";
import { registrySettingsOf } from "./registry-settings.ts";
import type {
  ClusterSettings,
  FluxdConfig,
  GitSettings,
  SignatureSettings,
  SshSettings,
  SyncSettings,
} from "./settings.ts";
import {
  checkBurst,
  checkDurations,
  checkGitPaths,
  checkListenHosts,
  checkPushRetries,
  checkRequiredRegistries,
  checkSyncState,
  checkUpstream,
  checkVerifyMode,
  checkWebhooks,
  isHttpUrl,
  keygenDirOf,
  type Log,
  marksOf,
  pruneLimitOf,
  StartupError,
  syncStateOf,
  warnOfMissingKeys,
  warnOfUnverifiable,
  warnOfUselessCache,
  warnOfUselessFlags,
  warnOfUselessPruneLimit,
  warnOfUselessWebhooks,
  writeBackStyleOf,
} from "./startup-checks.ts";

/** The result of parsing fluxd's command line. `stderr` is plain text to print before any log line. */
export type ParseOutcome =
  | {
      readonly kind: "run";
      readonly stderr: string;
      readonly log: readonly LogFields[];
      readonly config: FluxdConfig;
    }
  /** Print the version to standard output and exit successfully. */
  | { readonly kind: "version"; readonly stderr: string }
  /** Exit immediately: help was requested, or the flags are invalid. */
  | { readonly kind: "usage"; readonly stderr: string; readonly exitCode: 0 | 2 }
  /** Log the lines and exit with 1. */
  | {
      readonly kind: "refused";
      readonly stderr: string;
      readonly log: readonly LogFields[];
      readonly logFormat: FluxdConfig["logFormat"];
    };

const defaultSkipMessage = "\n\n[ci skip]";

/**
 * Parses fluxd's command line; `argv` doesn't include the program. The caller logs the first line, version=…, and then
 * the lines of the outcome. As in Flux v1, arguments that aren't flags are ignored.
 */
export function parseFluxdArgs(argv: readonly string[], env: Environment): ParseOutcome {
  const flags = declareFluxdFlags(homeOf(env));
  const { warnings, help, error } = parseArguments(argv, flagsOf(flags));
  const stderr = warnings.map((line) => `${line}\n`).join("");
  if (help) {
    return { kind: "usage", stderr: stderr + printUsage(flags), exitCode: 0 };
  }
  if (error) {
    return { kind: "usage", stderr: `${stderr}Error: ${error.message}\n\n${printUsage(flags)}`, exitCode: 2 };
  }
  return flags.version.value ? { kind: "version", stderr } : judge(flags, stderr);
}

function homeOf(env: Environment): string {
  return env["HOME"] || env["USERPROFILE"] || "";
}

function printUsage(flags: FluxdFlags): string {
  return `DESCRIPTION\n  fluxd is the agent of flux.\n\nFLAGS\n${printFlagUsages(flagsOf(flags))}`;
}

function judge(flags: FluxdFlags, stderr: string): ParseOutcome {
  const log: LogFields[] = [];
  try {
    const config = readConfig(flags, (fields) => log.push(fields));
    return { kind: "run", stderr, log, config };
  } catch (error) {
    if (error instanceof StartupError) {
      return { kind: "refused", stderr, log: [...log, error.fields], logFormat: logFormatOf(flags) };
    }
    throw error;
  }
}

/** Checks the combination of all flags, first in the order of Flux v1, and then with Weir's own checks. */
function readConfig(flags: FluxdFlags, log: Log): FluxdConfig {
  const state = syncStateOf(flags, log);
  const verify = checkVerifyMode(flags);
  const marks = marksOf(flags, log);
  checkGitPaths(flags);
  const keygenDir = keygenDirOf(flags, log);
  checkRequiredRegistries(flags);
  warnOfMissingKeys(flags, log);
  checkBurst(flags);
  const knownState = checkSyncState(state);
  checkUpstream(flags);
  checkWebhooks(flags);
  checkListenHosts(flags);
  checkPushRetries(flags);
  checkDurations(flags);
  warnOfUselessCache(flags, log);
  warnOfUnverifiable(flags, log);
  warnOfUselessWebhooks(flags, log);
  warnOfUselessPruneLimit(flags, log);
  warnOfUselessFlags(flags, log);
  return {
    logFormat: logFormatOf(flags),
    listen: flags.listen.value,
    listenMetrics: flags.listenMetrics.value,
    listenHosts: flags.listenHost.value,
    listenTokenFile: flags.listenTokenFile.value,
    git: { ...gitSettingsOf(flags), ...marks },
    gpgKeyImport: flags.gitGpgKeyImport.value,
    signatures: { ...signatureSettingsOf(flags), verify },
    sync: { ...syncSettingsOf(flags), state: knownState },
    cluster: clusterSettingsOf(flags),
    ssh: { ...sshSettingsOf(flags), keygenDir },
    registry: registrySettingsOf(flags),
    decryption: {
      sops: flags.sops.value,
      gitSecret: flags.gitSecret.value,
    },
    automationInterval: automationIntervalOf(flags),
    writeBackStyle: writeBackStyleOf(flags),
    manifestGeneration: flags.manifestGeneration.value,
    manifestGenerationCache: flags.manifestGenerationCache.value,
    ...upstreamSettingsOf(flags),
    ...webhookSettingsOf(flags),
  };
}

/** As in Flux v1, any other value means logfmt. */
function logFormatOf({ logFormat }: FluxdFlags): FluxdConfig["logFormat"] {
  return logFormat.value === "json" ? "json" : "logfmt";
}

/** Flux v1 had another name for this flag, which still works if it's the only one set. */
function automationIntervalOf({ automationInterval, registryPollInterval }: FluxdFlags): number {
  const isOld = registryPollInterval.isSet && !automationInterval.isSet;
  return (isOld ? registryPollInterval : automationInterval).value;
}

function gitSettingsOf(flags: FluxdFlags): Omit<GitSettings, "syncTag" | "notesRef"> {
  const skipMessage = flags.gitCiSkipMessage.value;
  return {
    url: flags.gitUrl.value,
    isHttp: isHttpUrl(flags.gitUrl.value),
    branch: flags.gitBranch.value,
    paths: flags.gitPath.value,
    readonly: flags.gitReadonly.value,
    user: flags.gitUser.value,
    email: flags.gitEmail.value,
    setAuthor: flags.gitSetAuthor.value,
    skipMessage: skipMessage === "" && flags.gitCiSkip.value ? defaultSkipMessage : skipMessage,
    pollInterval: flags.gitPollInterval.value,
    timeout: flags.gitTimeout.value,
    pushRetries: flags.gitPushRetries.value,
  };
}

function signatureSettingsOf(flags: FluxdFlags): Omit<SignatureSettings, "verify"> {
  return {
    signingKey: flags.gitSigningKey.value,
    sshAllowedSigners: flags.gitSshAllowedSigners.value,
  };
}

function syncSettingsOf(flags: FluxdFlags): Omit<SyncSettings, "state"> {
  return {
    interval: flags.syncInterval.value,
    timeout: flags.syncTimeout.value,
    garbageCollection: flags.syncGarbageCollection.value,
    garbageCollectionDry: flags.syncGarbageCollectionDry.value,
    onDrift: flags.syncOnDrift.value,
    quarantine: flags.syncQuarantine.value,
    pruneLimit: pruneLimitOf(flags),
    takeOver: flags.syncTakeOver.value,
    preflight: flags.syncPreflight.value,
  };
}

function clusterSettingsOf(flags: FluxdFlags): ClusterSettings {
  const folder = flags.embeddedCluster.value;
  return {
    kubeConfig: flags.kubeConfig.value,
    allowNamespaces: allowedNamespacesOf(flags),
    defaultNamespace: flags.k8sDefaultNamespace.value,
    excludeResources: flags.k8sUnsafeExcludeResource.value,
    ...(folder === "" ? {} : { embedded: folder === inMemory ? {} : { folder } }),
  };
}

function upstreamSettingsOf({ connect, token, rpcTimeout }: FluxdFlags): Pick<FluxdConfig, "upstream"> {
  return connect.value === ""
    ? {}
    : { upstream: { url: connect.value, token: token.value, rpcTimeout: rpcTimeout.value } };
}

function webhookSettingsOf({ listenWebhooks, webhooksConfig }: FluxdFlags): Pick<FluxdConfig, "webhooks"> {
  return listenWebhooks.value === ""
    ? {}
    : { webhooks: { listen: listenWebhooks.value, config: webhooksConfig.value } };
}

/** As in Flux v1, an empty type or format counts as not set. */
function sshSettingsOf(flags: FluxdFlags): Omit<SshSettings, "keygenDir"> {
  const { sshKeygenBits: bits, sshKeygenType: type, sshKeygenFormat: format } = flags;
  return {
    secretName: flags.k8sSecretName.value,
    secretVolumeMountPath: flags.k8sSecretVolumeMountPath.value,
    secretDataKey: flags.k8sSecretDataKey.value,
    ...(bits.value === undefined ? {} : { keygenBits: bits.value }),
    ...(type.value === "" ? {} : { keygenType: type.value }),
    ...(format.value === "" ? {} : { keygenFormat: format.value }),
  };
}
