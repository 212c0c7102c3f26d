/**
 * Connects the parts of fluxd, each of which a file beside this one opens: takes the configuration, and returns a daemon
 * that's ready to run. Here the compiler checks that each part fits the ports of the others.
 */

import { type Clock, type Environment, type Logger, type Metrics, systemClock, version } from "@weir/base";
import { createMetricsRegistry } from "@weir/base/prometheus";
import { createClusterCache, createClusterEngine, type OperationStore, type PruneMode } from "@weir/engine";
import { type Cluster, type ImageRegistry, markLabel } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import { createRestClient } from "@weir/kube/client";
import { createDiscovery, type Discovery, type RestClient } from "@weir/kube/rest";
import { createSecretHistoryStore } from "../../src/cluster-state/history-secret.ts";
import { meteredClient } from "../../src/cluster-state/metered-client.ts";
import { openCacheMetrics } from "../../src/cluster-state/metrics.ts";
import { createSecretOperationStore } from "../../src/cluster-state/operation-secret.ts";
import { SecretAnnotation } from "../../src/cluster-state/secret-annotation.ts";
import type { SecretName } from "../../src/cluster-state/secret-patch.ts";
import { noKeyring, openSshKeyring, type SshKeyring } from "../../src/cluster-state/ssh-keyring.ts";
import { createSecretSyncState } from "../../src/cluster-state/sync-secret.ts";
import { Daemon } from "../../src/daemon/daemon.ts";
import type { DaemonDependencies } from "../../src/daemon/dependencies.ts";
import { openDaemonMetrics } from "../../src/daemon/metrics.ts";
import type { DaemonSettings } from "../../src/daemon/ports.ts";
import { type Generation, RevisionManifests } from "../../src/daemon/revision-manifests.ts";
import type { SuspensionStore } from "../../src/daemon/suspension/suspensions.ts";
import type { SyncState } from "../../src/daemon/sync/state.ts";
import { accessCheckup } from "../../src/engine-adapter/access.ts";
import { FluxCluster } from "../../src/engine-adapter/cluster.ts";
import { isExcludedKind } from "../../src/engine-adapter/excluded-kinds.ts";
import { ClusterImages } from "../../src/engine-adapter/image-credentials.ts";
import { createSecretPruneAllowance, type PruneAllowance } from "../../src/engine-adapter/prune-allowance.ts";
import { DiscoveredScopes } from "../../src/engine-adapter/scope.ts";
import { apiCheckup } from "../../src/engine-adapter/unavailable-apis.ts";
import type { Repository } from "../../src/git/repository.ts";
import { syncSetName } from "../../src/git/sync-set-name.ts";
import { GeneratedCache } from "../../src/manifests/generate/generated-cache.ts";
import { SecretValues } from "../../src/manifests/generate/secret-values.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import { connectCluster, isInPod, podNamespace, untilAnswered } from "./connect.ts";
import { openDecryption } from "./decryption.ts";
import { defaultNamespace } from "./default-namespace.ts";
import { gpgKeyringOnUse } from "./gpg-keyring.ts";
import { openImageScan } from "./image-registry.ts";
import { allMetrics } from "./metrics.ts";
import { openProcessMetrics } from "./process-metrics.ts";
import { openRepository } from "./repo.ts";
import type { FluxdConfig } from "./settings.ts";
import { openSignatures } from "./signatures.ts";
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
  const { verifier, signer } = await openSignatures(config.signatures, { logger, gpgKeyring }, signal);
  const repo = await openRepository(config, { env, metrics, logger, cleanup, reveal, verifier, signer });
  const serverVersion = await untilAnswered(client, logger, clock, signal);
  const keyring = await openKeyring(config, { client, logger, clock, cleanup, signal });
  logger.log({ component: "cluster", host: client.server, version: `kubernetes-${serverVersion}` });
  const discovery = createDiscovery(client);
  const secret = await stateSecret(config);
  const { cluster, images, checkups, conditions } = startCluster(config, {
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

async function openKeyring(
  { git, ssh }: FluxdConfig,
  {
    client,
    logger,
    clock,
    cleanup,
    signal,
  }: Omit<ClusterContext, "discovery" | "keyring" | "operations" | "allowance" | "metrics">,
): Promise<SshKeyring> {
  if (git.isHttp || !(await isInPod())) {
    return noKeyring;
  }
  const keyring = await openSshKeyring(
    {
      secret: { namespace: await podNamespace(), name: ssh.secretName },
      mountPath: ssh.secretVolumeMountPath,
      dataKey: ssh.secretDataKey,
      keygenDir: ssh.keygenDir,
      clock,
      ...(ssh.keygenBits === undefined ? {} : { bits: String(ssh.keygenBits) }),
      ...(ssh.keygenType === undefined ? {} : { type: ssh.keygenType }),
      ...(ssh.keygenFormat === undefined ? {} : { format: ssh.keygenFormat }),
    },
    client,
    signal,
  );
  cleanup.defer(() => keyring.settled());
  const { key } = keyring.publicKey();
  logger.log({ component: "cluster", identity: keyring.privateKeyPath, "identity.pub": key.trim() });
  return keyring;
}

interface ClusterContext {
  readonly client: RestClient;
  readonly discovery: Discovery;
  readonly keyring: SshKeyring;
  readonly operations: OperationStore;
  readonly allowance: PruneAllowance;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

interface StartedCluster extends Pick<DaemonDependencies, "checkups" | "conditions"> {
  readonly cluster: Cluster;
  readonly images: ImageSource;
}

function startCluster(
  { cluster, sync }: FluxdConfig,
  {
    client,
    discovery,
    keyring,
    operations,
    allowance,
    metrics,
    logger,
    clock,
    cleanup,
    signal,
  }: ClusterContext,
): StartedCluster {
  const clusterLogger = logger.with({ component: "cluster" });
  const prune = pruneMode(sync);
  const cache = createClusterCache({
    client,
    discovery,
    // Without garbage collection, it doesn't matter which other objects are ours, so nothing else is watched.
    managedLabel: prune === "off" ? undefined : { key: markLabel },
    namespaces: cluster.allowNamespaces,
    clock,
    logger: clusterLogger,
    excludes: (gvk) => isExcludedKind(gvk, cluster.excludeResources),
    // fluxd has no use for the health of what it's going to delete.
    managedHealth: () => false,
  });
  openCacheMetrics(metrics, cache);
  cache.start();
  cleanup.defer(() => cache.stop());
  const engine = createClusterEngine({ client, cache, clock, logger: clusterLogger, operations });
  void engine.run(signal).catch((error: unknown) => {
    clusterLogger.log({ err: error instanceof Error ? error : String(error) });
  });
  const allowedNamespaces = new Set(cluster.allowNamespaces);
  const own = new FluxCluster({
    engine,
    cache,
    client,
    discovery,
    keyring,
    allowance,
    allowedNamespaces,
    prune,
    pruneLimit: sync.pruneLimit,
    takeOver: sync.takeOver,
    preflight: sync.preflight,
    logger: clusterLogger,
  });
  return {
    cluster: own,
    checkups: [
      accessCheckup({
        client,
        discovery,
        allowedNamespaces,
        prunes: prune === "on",
        kindsInUse: () => own.kindsInUse(),
      }),
    ],
    conditions: [apiCheckup(cache)],
    images: new ClusterImages({ cache, client, allowedNamespaces, logger: clusterLogger }),
  };
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

/** A dry run takes precedence over garbage collection, as in Flux v1. */
function pruneMode({ garbageCollection, garbageCollectionDry }: FluxdConfig["sync"]): PruneMode {
  return garbageCollectionDry ? "dry-run" : garbageCollection ? "on" : "off";
}

function daemonSettings({
  git,
  signatures,
  sync,
  registry,
  automationInterval,
  manifestGeneration,
}: FluxdConfig): DaemonSettings {
  return {
    branch: git.branch,
    paths: git.paths,
    setAuthor: git.setAuthor,
    skipMessage: git.skipMessage,
    pushRetries: git.pushRetries,
    syncSetName: syncSetName(git.url, git.branch, git.paths),
    manifestGeneration,
    verifySignatures: signatures.verify,
    syncInterval: sync.interval,
    syncTimeout: sync.timeout,
    gitTimeout: git.timeout,
    syncOnDrift: sync.onDrift,
    automationInterval: git.readonly || registry.disabled ? undefined : automationInterval,
  };
}

function syncSettings(
  { git, sync, cluster, decryption, manifestGeneration }: FluxdConfig,
  defaultNamespace: string,
): SyncSettings {
  return {
    syncSetName: syncSetName(git.url, git.branch, git.paths),
    paths: git.paths,
    defaultNamespace,
    allowedNamespaces: cluster.allowNamespaces,
    excludedKinds: cluster.excludeResources,
    prune: pruneMode(sync),
    pruneLimit: String(sync.pruneLimit),
    takeOver: sync.takeOver,
    quarantine: sync.quarantine,
    manifestGeneration,
    decrypts: decryption.sops || decryption.gitSecret,
  };
}

/** The Secret of the SSH key, which is in the pod's namespace; undefined outside a pod. */
async function stateSecret({ ssh }: FluxdConfig): Promise<SecretName | undefined> {
  const namespace = await podNamespace().catch(() => undefined);
  return namespace === undefined ? undefined : { namespace, name: ssh.secretName };
}

function openSuspensions(client: RestClient, secret: SecretName | undefined): SuspensionStore {
  const annotation = "weir.dev/suspended";
  return new SecretAnnotation({ client, secret, annotation, mostBytes: 16 * 1024 });
}

async function openSyncState(config: FluxdConfig, client: RestClient, repo: Repository): Promise<SyncState> {
  if (config.sync.state === "git") {
    return repo.syncTag(config.git.syncTag);
  }
  return createSecretSyncState(client, { namespace: await podNamespace(), name: config.ssh.secretName });
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
