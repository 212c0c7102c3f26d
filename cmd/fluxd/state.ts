/** What fluxd keeps in the cluster, in the Secret of its SSH key: the key, what is synced, and what is suspended. */
import type { Clock, Logger } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import { SecretAnnotation } from "../../src/cluster-state/secret-annotation.ts";
import type { SecretName } from "../../src/cluster-state/secret-patch.ts";
import { noKeyring, openSshKeyring, type SshKeyring } from "../../src/cluster-state/ssh-keyring.ts";
import { createSecretSyncState } from "../../src/cluster-state/sync-secret.ts";
import type { SuspensionStore } from "../../src/daemon/suspension/suspensions.ts";
import type { SyncState } from "../../src/daemon/sync/state.ts";
import type { Repository } from "../../src/git/repository.ts";
import { isInPod, podNamespace } from "./connect.ts";
import type { FluxdConfig } from "./settings.ts";

/** The Secret of the SSH key, which is in the pod's namespace; undefined outside a pod. */
export async function stateSecret({ ssh }: FluxdConfig): Promise<SecretName | undefined> {
  const namespace = await podNamespace().catch(() => undefined);
  return namespace === undefined ? undefined : { namespace, name: ssh.secretName };
}

/** The SSH key for git; none over HTTP and outside a pod. Writes it to the log. */
export async function openKeyring(
  { git, ssh }: FluxdConfig,
  { client, logger, clock, cleanup, signal }: KeyringContext,
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

/** Where the next fluxd finds what is suspended. */
export function openSuspensions(client: RestClient, secret: SecretName | undefined): SuspensionStore {
  const annotation = "weir.dev/suspended";
  return new SecretAnnotation({ client, secret, annotation, mostBytes: 16 * 1024 });
}

/** Where the next fluxd finds what was synced last: the sync tag in git, or the Secret. */
export async function openSyncState(
  config: FluxdConfig,
  client: RestClient,
  repo: Repository,
): Promise<SyncState> {
  if (config.sync.state === "git") {
    return repo.syncTag(config.git.syncTag);
  }
  return createSecretSyncState(client, { namespace: await podNamespace(), name: config.ssh.secretName });
}

interface KeyringContext {
  readonly client: RestClient;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}
