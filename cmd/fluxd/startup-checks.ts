import { type LogFields, quoteGo } from "@weir/base";
import { type PruneLimit, PruneLimitError, parsePruneLimit } from "@weir/engine";
import { EndpointError, inferEndpoints } from "../../src/api/upstream/endpoints.ts";
import type { FluxdFlags } from "../../src/fluxd-flags/flags.ts";
import { timelessFlag, uselessFlags } from "../../src/fluxd-flags/support.ts";
import { type VerifyMode, verifyModeOf } from "../../src/fluxd-flags/verify-mode.ts";
import type { EditStyle } from "../../src/manifests/edit/edit-file.ts";

/** fluxd can't start; the fields are its last log line. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly fields: LogFields;

  constructor(fields: LogFields) {
    super(Object.values(fields).join(": "));
    this.fields = fields;
  }
}

/** Logs a line at the start. */
export type Log = (fields: LogFields) => void;

const requirable = ["ecr"];

/** Flags without effect if fluxd can't write to git, in the order in which they're logged. */
const writingFlags = [
  "gitUser",
  "gitEmail",
  "gitSyncTag",
  "gitSetAuthor",
  "gitCiSkip",
  "gitCiSkipMessage",
] as const satisfies readonly (keyof FluxdFlags)[];

/**
 * Where to store the sync state according to the flags: if fluxd can't write to git, only the secret is possible.
 * checkSyncState checks the value later.
 */
export function syncStateOf(flags: FluxdFlags, log: Log): string {
  const given = flags.syncState.value;
  if (!flags.gitReadonly.value) {
    return given;
  }
  if (given === "git") {
    log({ warning: "--git-readonly prevents use of --sync-state=git. Forcing to --sync-state=secret" });
  }
  const useless = writingFlags.map((key) => flags[key]).filter(({ isSet }) => isSet);
  if (useless.length > 0) {
    const names = useless.map(({ declaration }) => declaration.name).join(", ");
    log({ warning: `Configuring any of {${names}} has no effect when --git-readonly is set` });
  }
  return given === "git" ? "secret" : given;
}

/** Which commits must be signed. Throws StartupError for an unknown mode. */
export function checkVerifyMode(flags: FluxdFlags): VerifyMode {
  const mode = verifyModeOf(flags);
  if (mode === undefined) {
    throw new StartupError({
      error: `'${flags.gitVerifySignaturesMode.value}' is not a valid git-verify-signatures-mode`,
    });
  }
  return mode;
}

/** The names of the sync tag and the notes ref; a label, even an empty one, replaces both. */
export function marksOf(
  flags: FluxdFlags,
  log: Log,
): { readonly syncTag: string; readonly notesRef: string } {
  const { gitLabel, gitSyncTag, gitNotesRef } = flags;
  if (!gitLabel.isSet) {
    return { syncTag: gitSyncTag.value, notesRef: gitNotesRef.value };
  }
  for (const { declaration } of [gitSyncTag, gitNotesRef].filter(({ isSet }) => isSet)) {
    log({ overridden: declaration.name, value: gitLabel.value });
  }
  return { syncTag: gitLabel.value, notesRef: gitLabel.value };
}

/** Throws StartupError for a git path that starts with a slash. */
export function checkGitPaths(flags: FluxdFlags): void {
  if (flags.gitPath.value.some((path) => path.startsWith("/"))) {
    throw new StartupError({
      err: "subdirectory given as --git-path should not have leading forward slash",
    });
  }
}

/** True for a URL that needs no SSH key. */
export function isHttpUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

/** The folder for new SSH keys; logged if it has to be the volume of the deploy key. */
export function keygenDirOf(flags: FluxdFlags, log: Log): string {
  const { sshKeygenDir, k8sSecretVolumeMountPath, gitUrl } = flags;
  if (sshKeygenDir.value !== "" || isHttpUrl(gitUrl.value)) {
    return sshKeygenDir.value;
  }
  const path = k8sSecretVolumeMountPath.value;
  log({
    info: `SSH keygen dir (--ssh-keygen-dir) not provided, so using the deploy key volume (--k8s-secret-volume-mount-path=${path}); this may cause problems if the deploy key volume is mounted read-only`,
  });
  return path;
}

/** Throws StartupError if an unsupported registry is required. */
export function checkRequiredRegistries(flags: FluxdFlags): void {
  const unknown = flags.registryRequire.value.find((name) => !requirable.includes(name));
  if (unknown !== undefined) {
    throw new StartupError({
      err: `--registry-require value ${quoteGo(unknown)} is not in possible values {${requirable.join(",")}}`,
    });
  }
}

/** Warns if decryption is on and no key was given for it. */
export function warnOfMissingKeys(flags: FluxdFlags, log: Log): void {
  if (flags.gitGpgKeyImport.value.length > 0) {
    return;
  }
  const noKeys = "is enabled but there is no GPG key(s) provided using --git-gpg-key-import, we assume";
  if (flags.gitSecret.value) {
    log({ warning: `--git-secret ${noKeys} you mounted the keyring directly and continue` });
  }
  if (flags.sops.value) {
    log({
      warning: `--sops ${noKeys} that the means of decryption has been provided in another way`,
    });
  }
}

/** Warns if the cache for generators is on, but generators aren't. */
export function warnOfUselessCache(
  { manifestGeneration, manifestGenerationCache }: FluxdFlags,
  log: Log,
): void {
  if (manifestGenerationCache.value && !manifestGeneration.value) {
    log({ warning: "--manifest-generation-cache has no effect without --manifest-generation" });
  }
}

/** Warns if commits must be signed and no key is known, and if allowed signers are given and no commit must be signed. */
export function warnOfUnverifiable(flags: FluxdFlags, log: Log): void {
  const verifies = verifyModeOf(flags) !== "none";
  const { gitGpgKeyImport, gitSshAllowedSigners } = flags;
  if (verifies && gitGpgKeyImport.value.length === 0 && gitSshAllowedSigners.value === "") {
    log({
      warning:
        "commits must be signed, but neither --git-gpg-key-import nor --git-ssh-allowed-signers is set: only trusted keys of a mounted GnuPG keyring count",
    });
  }
  if (!verifies && gitSshAllowedSigners.value !== "") {
    log({ warning: "--git-ssh-allowed-signers has no effect without --git-verify-signatures-mode" });
  }
}

/** Throws StartupError if images should be scanned without any concurrent request. */
export function checkBurst(flags: FluxdFlags): void {
  if (!flags.registryDisableScanning.value && flags.registryBurst.value <= 0) {
    throw new StartupError({ err: "arguments must be non-nil (or > 0 in the case of burst)" });
  }
}

/** Throws StartupError if only one of the two webhook flags is set. */
export function checkWebhooks({ listenWebhooks, webhooksConfig }: FluxdFlags): void {
  const [given, missing] =
    webhooksConfig.value === "" ? [listenWebhooks, webhooksConfig] : [webhooksConfig, listenWebhooks];
  if (given.value !== "" && missing.value === "") {
    throw new StartupError({ err: `--${given.declaration.name} needs --${missing.declaration.name}` });
  }
}

/** Throws StartupError for an invalid host name; browsers never send a URL or a pattern as the host. */
export function checkListenHosts({ listenHost }: FluxdFlags): void {
  const wrong = listenHost.value.find((host) => !/^[a-z0-9._-]+$/i.test(host));
  if (wrong !== undefined) {
    throw new StartupError({
      err: `--listen-host must be a host name without scheme, port, or path, such as flux.example.com, not ${JSON.stringify(wrong)}`,
    });
  }
}

/** Warns if webhooks about images are received but images aren't scanned. */
export function warnOfUselessWebhooks(
  { listenWebhooks, registryDisableScanning }: FluxdFlags,
  log: Log,
): void {
  if (listenWebhooks.value !== "" && registryDisableScanning.value) {
    log({ warning: "webhooks about images have no effect because of --registry-disable-scanning" });
  }
}

/** The style for edited manifests. Throws StartupError for an unknown style. */
export function writeBackStyleOf({ writeBackStyle: { value } }: FluxdFlags): EditStyle {
  if (value !== "flux" && value !== "minimal") {
    throw new StartupError({
      err: `invalid value ${quoteGo(value)} for --write-back-style: use flux or minimal`,
    });
  }
  return value;
}

/** The known sync state for a value. Throws StartupError for any other value. */
export function checkSyncState(state: string): "git" | "secret" {
  if (state !== "git" && state !== "secret") {
    throw new StartupError({ error: "unknown sync state mode", mode: state });
  }
  return state;
}

/**
 * Throws StartupError for upstream settings that can't work: a URL that's neither for WebSocket nor for HTTP, a token
 * that isn't allowed in a header, or no time for calls.
 */
export function checkUpstream({ connect, token, rpcTimeout }: FluxdFlags): void {
  if (connect.value === "") {
    return;
  }
  try {
    inferEndpoints(connect.value);
  } catch (error) {
    throw error instanceof EndpointError ? new StartupError({ err: error.message }) : error;
  }
  if (/[^\t\x20-\x7e\x80-\xff]/.test(token.value)) {
    throw new StartupError({
      err: "--token contains characters that aren't allowed in an HTTP header, such as a line break",
    });
  }
  if (rpcTimeout.value <= 0) {
    throw new StartupError({ err: "--rpc-timeout must be longer than 0s" });
  }
}

/** Throws StartupError for a negative number of retries. */
export function checkPushRetries({ gitPushRetries }: FluxdFlags): void {
  if (gitPushRetries.value < 0) {
    throw new StartupError({ err: "--git-push-retries must not be negative" });
  }
}

/** How many resources a sync may delete; all by default. Throws StartupError for an invalid limit. */
export function pruneLimitOf({ syncPruneLimit: { value } }: FluxdFlags): PruneLimit {
  try {
    return value === "" ? "100%" : parsePruneLimit(value);
  } catch (error) {
    throw error instanceof PruneLimitError
      ? new StartupError({ err: `invalid --sync-prune-limit: ${error.message}` })
      : error;
  }
}

/** Warns if deletions are limited but garbage collection is off. */
export function warnOfUselessPruneLimit(
  { syncPruneLimit, syncGarbageCollection }: FluxdFlags,
  log: Log,
): void {
  if (syncPruneLimit.value !== "" && !syncGarbageCollection.value) {
    log({ warning: "--sync-prune-limit has no effect without --sync-garbage-collection" });
  }
}

/** Throws StartupError for an interval or time limit of zero or less. */
export function checkDurations(flags: FluxdFlags): void {
  const wrong = timelessFlag(flags);
  if (wrong !== undefined) {
    throw new StartupError({ err: `${wrong} must be longer than 0s` });
  }
}

/** Logs once which flags have no effect. */
export function warnOfUselessFlags(flags: FluxdFlags, log: Log): void {
  const given = uselessFlags(flags);
  if (given.length > 0) {
    log({ info: "ignoring flags for programs that Weir doesn't use", flags: given.join(",") });
  }
}
