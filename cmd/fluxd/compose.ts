/**
 * Connects the parts of fluxd, each of which a file beside this one opens: takes the configuration, and returns a daemon
 * that's ready to run. Here the compiler checks that each part fits the ports of the others.
 */

import { type Clock, type Environment, type Logger, systemClock, version } from "@weir/base";
import { createMetricsRegistry } from "@weir/base/prometheus";
import type { ImageRegistry } from "@weir/flux";
import { createRestClient } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { createSecretHistoryStore } from "../../src/cluster-state/history-secret.ts";
import { meteredClient } from "../../src/cluster-state/metered-client.ts";
import { createSecretOperationStore } from "../../src/cluster-state/operation-secret.ts";
import { Daemon } from "../../src/daemon/daemon.ts";
import { openDaemonMetrics } from "../../src/daemon/metrics.ts";
import { type Generation, RevisionManifests } from "../../src/daemon/revision-manifests.ts";
import { createSecretPruneAllowance } from "../../src/engine-adapter/prune-allowance.ts";
import { DiscoveredScopes } from "../../src/engine-adapter/scope.ts";
import type { Repository } from "../../src/git/repository.ts";
import { GeneratedCache } from "../../src/manifests/generate/generated-cache.ts";
import { SecretValues } from "../../src/manifests/generate/secret-values.ts";
import { openCluster } from "./cluster.ts";
import { connectCluster, defaultNamespace, untilAnswered } from "./connect.ts";
import { daemonSettings, syncSettings } from "./daemon-settings.ts";
import { openDecryption } from "./decryption.ts";
import { gpgKeyringOnUse } from "./gpg-keyring.ts";
import { openImageScan } from "./image-registry.ts";
import { allMetrics } from "./metrics.ts";
import { openProcessMetrics } from "./process-metrics.ts";
import { openRepository } from "./repo.ts";
import type { FluxdConfig } from "./settings.ts";
import { openSignatures } from "./signatures.ts";
import { openKeyring, openSuspensions, openSyncState, stateSecret } from "./state.ts";
import { openUpstream, type Runnable } from "./upstream.ts";
import { openWebhooks } from "./webhooks.ts";

/**
 * Starts everything except the loop: git first, because it takes the longest, then the cluster, and the API last.
 * Rejects with the error that keeps fluxd from starting.
 */
export async function compose(composition: Composition): Promise<Runnable> {
  const { config, env, logger, cleanup, signal } = composition;
  const clock = systemClock;
  const metrics = createMetricsRegistry(allMetrics);
  openProcessMetrics(metrics);
  const webhooks = await openWebhooks(config.webhooks, { env, metrics, clock, logger, cleanup, signal });
  const credentials = await connectCluster(config.cluster, {
    env,
    logger: logger.with({ component: "cluster" }),
    cleanup,
  });
  const client = meteredClient(createRestClient({ credentials, userAgent: `fluxd/${version}` }), metrics);
  cleanup.defer(() => client.close());
  const gpgKeyring = gpgKeyringOnUse(config, { env, logger });
  if (config.gpgKeyImport.length > 0) {
    // As in Flux v1, the log says at startup what can't be imported.
    await gpgKeyring();
  }
  const { decrypt, reveal } = openDecryption(config.decryption, { env, clock, cleanup, logger, gpgKeyring });
  const { verifier, signer } = await openSignatures(
    config.signatures,
    { logger, gpgKeyring, cleanup },
    signal,
  );
  const repo = await openRepository(config, { env, metrics, logger, cleanup, reveal, verifier, signer });
  const serverVersion = await untilAnswered(client, logger, clock, signal);
  const keyring = await openKeyring(config, { client, logger, clock, cleanup, signal });
  logger.log({ component: "cluster", host: client.server, version: `kubernetes-${serverVersion}` });
  const discovery = createDiscovery(client);
  const secret = await stateSecret(config);
  const { cluster, images, checkups, conditions } = openCluster(config, {
    operations: createSecretOperationStore(client, secret, logger.with({ component: "cluster" })),
    allowance: createSecretPruneAllowance(client, secret, logger.with({ component: "cluster" })),
    client,
    discovery,
    keyring,
    metrics,
    logger,
    clock,
    cleanup,
    signal,
  });
  const scan = await openImageScan({
    settings: config.registry,
    images,
    env,
    metrics,
    clock,
    logger,
    cleanup,
    signal,
  });
  const scopes = new DiscoveredScopes(discovery, await defaultNamespace(config.cluster, env));
  logSummary(config, repo, logger);
  const upstream = openUpstream(config.upstream, { metrics, logger, clock, cleanup });
  const daemon = new Daemon({
    version,
    settings: daemonSettings(config),
    syncSettings: syncSettings(config, scopes.defaultNamespace),
    repo,
    manifests: new RevisionManifests({
      repo,
      scopes,
      paths: config.git.paths,
      quarantine: config.sync.quarantine,
      decrypt,
      writeBackStyle: config.writeBackStyle,
      generation: generationOf(config, env, clock),
      logger: logger.with({ component: "daemon" }),
    }),
    cluster,
    images: composition.images ?? scan.registry,
    onImageNotice: (name, tags) => scan.prioritize(name, tags),
    syncState: await openSyncState(config, client, repo),
    suspensionStore: openSuspensions(client, secret),
    checkups,
    conditions: [...conditions, scan.checkup],
    historyStore: createSecretHistoryStore(client, secret, logger),
    metrics: openDaemonMetrics(metrics),
    logger,
    clock,
    ...upstream.events,
  });
  // Loaded now, while git clones: the HTTP server is a third of the program.
  const { startListeners } = await import("./listeners.ts");
  await startListeners(config, { api: daemon.api, registry: metrics, clock, logger, cleanup });
  await webhooks.start(daemon.api);
  scan.start(() => daemon.askForImages());
  return upstream.beside(daemon);
}

export interface Composition {
  readonly config: FluxdConfig;
  readonly env: Environment;
  readonly logger: Logger;
  /** Stops what composing started, in reverse order. */
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
  /** Image metadata to use instead of scanning registries. */
  readonly images?: ImageRegistry;
}

/** Generators get fluxd's whole environment, as in Flux v1. */
function generationOf(
  { manifestGeneration, manifestGenerationCache, sync }: FluxdConfig,
  environment: Environment,
  clock: Clock,
): Generation | undefined {
  const settings = { environment, timeout: sync.timeout, clock, secrets: new SecretValues() };
  return manifestGeneration
    ? { settings, ...(manifestGenerationCache ? { cache: new GeneratedCache() } : {}) }
    : undefined;
}

/** Same as in Flux v1, with its order of keys. */
function logSummary(
  { git, signatures, decryption, sync, registry }: FluxdConfig,
  repo: Repository,
  logger: Logger,
): void {
  logger.log({
    url: repo.safeUrl,
    user: git.user,
    email: git.email,
    "signing-key": signatures.signingKey,
    "verify-signatures-mode": signatures.verify,
    "sync-tag": git.syncTag,
    state: sync.state,
    readonly: git.readonly,
    "registry-disable-scanning": registry.disabled,
    "notes-ref": git.notesRef,
    "set-author": git.setAuthor,
    "git-secret": decryption.gitSecret,
    sops: decryption.sops,
  });
}
