/**
 * Looks at a Flux v1 that runs, and at what would become of its cluster under Weir. In flow who we are to the cluster
 * and what was asked for; out flows a report. Nothing is changed, no Secret is read, and git is asked with the
 * credentials of whoever runs this.
 */
import { type Environment, type Finding, failed, messageOf, warning } from "@weir/base";
import { isApiReason } from "@weir/kube";
import { createRestClient } from "@weir/kube/client";
import { type ClusterCredentials, createDiscovery, type RestClient } from "@weir/kube/rest";
import { accessCheckup } from "../engine-adapter/access.ts";
import type { KindInUse } from "../engine-adapter/rights.ts";
import { remoteOf } from "../git/remote.ts";
import { compareWithGit } from "./compare-with-git.ts";
import { readConfigMapFile } from "./config-maps.ts";
import { readDaemonArguments, type SyncFlags, syncFlagsOf } from "./daemon-arguments.ts";
import { type DaemonPod, readDaemonPod } from "./daemon-pod.ts";
import { type DeploymentQuery, findDeployment } from "./find-deployment.ts";
import { commandFindings, flagFindings, imageFinding, ownerFindings } from "./findings.ts";
import { hostKeyFileOf, hostKeyFinding, sshHostOf } from "./host-keys.ts";
import { readOnlyClient } from "./read-only-client.ts";
import type { TakeoverReport } from "./report.ts";
import { switchCommands } from "./switch-commands.ts";

/** What is looked at, and how. */
export interface TakeoverRequest {
  readonly credentials: ClusterCredentials;
  /** Of the kubeconfig, as given; goes into the commands. */
  readonly context: string;
  readonly deployment: DeploymentQuery;
  readonly newImage: string;
  /** The git URL as fluxd has it, where the Deployment does not spell it out; else "". */
  readonly gitUrl: string;
  /** A clone, or a URL to clone; "" for fluxd's own git URL. */
  readonly source: string;
  /** The commands of .flux.yaml files may be run on this machine. */
  readonly runGenerators: boolean;
  readonly env: Environment;
}

/** Looks at everything that a switch depends on. Rejects where there is no Deployment to look at. */
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

/** What the service account may do; another image gives it no other rights. */
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
