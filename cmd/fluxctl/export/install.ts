/**
 * Reads a running install: its Deployment and the names of pull secrets from the cluster, and everything else from the
 * daemon's API. Takes the flags that say where it runs, and returns an install to export. Never reads a Secret.
 */
import { Deadline } from "@weir/base";
import { allWorkloadsSpec } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { createRestClient } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { isAutomated } from "../../../src/switching/flux2/automated-images.ts";
import type { ExportedInstall, ExportedWorkload } from "../../../src/switching/flux2/install.ts";
import { readDaemonArguments } from "../../../src/switching/running-install/daemon-arguments.ts";
import { type DaemonPod, readDaemonPod } from "../../../src/switching/running-install/daemon-pod.ts";
import { RunningInstallError } from "../../../src/switching/running-install/errors.ts";
import { findDeployment } from "../../../src/switching/running-install/find-deployment.ts";
import type { CommandContext } from "../command.ts";
import { loadCredentials } from "../daemon/forward.ts";
import { fillFromEnvironment } from "../flags/globals.ts";
import { readPullSecrets } from "./pull-secrets.ts";

/** Reads the install; `deployment` is the name of its Deployment, or "". Rejects with RunningInstallError. */
export async function readInstall(deployment: string, context: CommandContext): Promise<ExportedInstall> {
  const { globals, env, clock } = context;
  fillFromEnvironment(globals, { ...context, err: () => undefined });
  using deadline = new Deadline(clock, globals.timeout.value, context.signal);
  const { signal } = deadline;
  const credentials = await loadCredentials(globals.context.value, env, signal);
  const client = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 30_000 });
  try {
    const query = {
      namespace: globals.forwardNamespace.value,
      labels: globals.forwardLabels.value,
      name: deployment,
    };
    const pod = readDaemonPod(await findDeployment(query, client, signal));
    const flags = flagsOf(pod);
    return { pod, flags, workloads: await readWorkloads(context, client, signal) };
  } finally {
    await client.close();
  }
}

function flagsOf(pod: DaemonPod): ExportedInstall["flags"] {
  const { flags, error } = readDaemonArguments(pod);
  if (error !== "") {
    throw new RunningInstallError(
      `cannot read the flags of container ${pod.container} in Deployment ${pod.deployment}: ${error}`,
      [`Check its arguments: kubectl get deployment ${pod.deployment} -n ${pod.namespace} -o yaml`],
    );
  }
  return flags;
}

async function readWorkloads(
  context: CommandContext,
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly ExportedWorkload[]> {
  const api = await context.connect();
  const reports = await api.listWorkloads({ namespace: "", workloads: [] }, signal);
  const images = await api.listImages(
    { workload: allWorkloadsSpec, namespace: "", fields: ["Name", "Available"] },
    signal,
  );
  const byId = new Map(images.map(({ id, containers }) => [id, containers]));
  const withoutImages = reports.map((report): ExportedWorkload => toWorkload(report));
  const pullSecrets = await readPullSecrets(withoutImages.filter(isAutomated), client, signal);
  return withoutImages.map((workload) => ({
    ...workload,
    images: new Map((byId.get(workload.id) ?? []).map(({ name, available }) => [name, available])),
    pullSecrets: pullSecrets.get(workload.id) ?? [],
  }));
}

function toWorkload({ id, policies, containers, readOnly }: WorkloadStatusReport): ExportedWorkload {
  const isInGit = readOnly === "" || readOnly === "ReadOnlyMode";
  return { id, policies, isInGit, containers, images: new Map(), pullSecrets: [] };
}
