/**
 * Checks a running Flux v1 and what Weir would change in its cluster. Takes the credentials for the cluster and the
 * request, and returns a report. It changes nothing, and reads git with the credentials of the person who runs it.
 * Secrets are read only to compare those that are in git.
 */
import { type Environment, type Finding, failed, messageOf, warning } from "@weir/base";
import { isApiReason } from "@weir/kube";
import { createRestClient } from "@weir/kube/client";
import { type ClusterCredentials, createDiscovery, type RestClient } from "@weir/kube/rest";
import { accessCheckup } from "../../engine-adapter/access.ts";
import type { KindInUse } from "../../engine-adapter/rights.ts";
import { remoteOf } from "../../git/remote.ts";
import { readOnlyClient } from "../comparison/read-only-client.ts";
import { readDaemonArguments } from "../running-install/daemon-arguments.ts";
import { type DaemonPod, readDaemonPod } from "../running-install/daemon-pod.ts";
import { type DeploymentQuery, findDeployment } from "../running-install/find-deployment.ts";
import { compareWithGit } from "./compare-with-git.ts";
import { readConfigMapFile } from "./config-maps.ts";
import { commandFindings, flagFindings, imageFinding, ownerFindings } from "./findings.ts";
import { hostKeyFileOf, hostKeyFinding, sshHostOf } from "./host-keys.ts";
import type { TakeoverReport } from "./report.ts";
import { switchCommands } from "./switch-commands.ts";
import { type SyncFlags, syncFlagsOf } from "./sync-flags.ts";

/** What to check, and how. */
export interface TakeoverRequest {
  readonly credentials: ClusterCredentials;
  /** The kubeconfig's context, as given; it's used in the printed commands. */
  readonly context: string;
  readonly deployment: DeploymentQuery;
  readonly newImage: string;
  /** fluxd's git URL, if the Deployment doesn't contain it; otherwise "". */
  readonly gitUrl: string;
  /** A clone, or a URL to clone; "" for fluxd's git URL. */
  readonly source: string;
  /** Whether to run the commands in .flux.yaml files on this machine. */
  readonly runGenerators: boolean;
  readonly env: Environment;
}

/** Checks everything that a switch depends on. Rejects if it can't find fluxd's Deployment. */
export async function lookAtTakeover(request: TakeoverRequest, signal: AbortSignal): Promise<TakeoverReport> {
  const client = readOnlyClient(
    createRestClient({ credentials: request.credentials, userAgent: "fluxctl", timeoutMs: 30_000 }),
  );
  try {
    return await look(request, client, signal);
  } finally {
    await client.close();
  }
}

async function look(
  request: TakeoverRequest,
  client: RestClient,
  signal: AbortSignal,
): Promise<TakeoverReport> {
  const { newImage, context, gitUrl } = request;
  const pod = readDaemonPod(await findDeployment(request.deployment, client, signal));
  const args = readDaemonArguments(pod);
  const own = syncFlagsOf(args.flags);
  const sync: SyncFlags = gitUrl === "" ? own : { ...own, url: gitUrl };
  const compared = await compareWithGit({ ...request, pod, args, sync, client }, signal);
  const findings = [
    ...flagFindings(args),
    ...commandFindings(args),
    ...(await hostKeys(pod, sync, client, signal)),
    ...compared.findings,
    ...(await rights({ pod, sync, kindsInUse: compared.kindsInUse, client }, signal)),
    imageFinding(pod, newImage),
    ...ownerFindings(pod, compared.ids),
  ];
  return {
    pod,
    newImage,
    git: { url: remoteOf(sync.url).safeUrl, branch: sync.branch, paths: sync.paths },
    findings,
    comparison: compared.outcome,
    commands: switchCommands({ pod, newImage, context }),
  };
}

async function hostKeys(
  pod: DaemonPod,
  { url }: SyncFlags,
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const host = sshHostOf(url);
  if (host === undefined) {
    return [];
  }
  const mounted = hostKeyFileOf(pod);
  const content = mounted && (await readConfigMapFile(mounted, pod, client, signal));
  return [hostKeyFinding({ host, mounted, content })];
}

interface RightsQuery {
  readonly pod: DaemonPod;
  readonly sync: SyncFlags;
  readonly kindsInUse: readonly KindInUse[];
  readonly client: RestClient;
}

/** Checks the permissions of the service account, which stay the same with another image. */
async function rights(
  { pod, sync, kindsInUse, client }: RightsQuery,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { namespace, serviceAccount } = pod;
  const { subject, look: lookAtRights } = accessCheckup({
    client,
    discovery: createDiscovery(client),
    allowedNamespaces: new Set(sync.allowedNamespaces),
    prunes: sync.prune === "on",
    kindsInUse: () => kindsInUse,
    account: { namespace, name: serviceAccount },
  });
  try {
    return await lookAtRights(signal);
  } catch (error) {
    signal.throwIfAborted();
    const account = `service account ${serviceAccount} in ${namespace}`;
    return isApiReason(error, "Forbidden")
      ? [
          warning(
            subject,
            `you don't have permission to check what ${account} can do`,
            "ask somebody who can create subjectaccessreviews to run this check",
          ),
        ]
      : [failed(subject, `cannot check what ${account} can do: ${messageOf(error)}`, "")];
  }
}
