import type { JsonObject } from "@weir/base";
import { filledText, KubeConfigError, type KubeConfigFile } from "./kube-config-file.ts";
import { problemsOfCluster, problemsOfUser } from "./kube-config-problems.ts";

/** The entries that a context refers to. */
export interface Selection {
  readonly context: string;
  readonly clusterName: string;
  readonly cluster: JsonObject;
  readonly userName: string;
  /** Without fields if no entry has this name: client-go then sends no credentials. */
  readonly user: JsonObject;
}

/**
 * Selects the entries of a context, by default of the current one, by client-go's rules. Undefined if nothing is wrong
 * but there is no cluster: then a pod uses its service account. Throws KubeConfigError with everything that is wrong.
 */
export function selectEntries(config: KubeConfigFile, wanted = ""): Selection | undefined {
  const context = wanted === "" ? config.currentContext : wanted;
  const entry = config.contexts.get(context);
  if (entry === undefined && context !== "") {
    throw new KubeConfigError(missingContext(config, { context, isChosen: wanted !== "" }));
  }
  const clusterName = filledText(entry ?? {}, "cluster") ?? "";
  const userName = filledText(entry ?? {}, "user") ?? "";
  const cluster = config.clusters.get(clusterName);
  const user = config.users.get(userName) ?? {};
  const problems = [
    ...problemsOfUser(user).map((problem) => `user "${userName}": ${problem}`),
    ...problemsOfCluster(cluster ?? noProblem).map((problem) => `cluster "${clusterName}": ${problem}`),
  ];
  if (problems.length > 0) {
    throw new KubeConfigError(problems.join("; "));
  }
  return cluster === undefined ? undefined : { context, clusterName, cluster, userName, user };
}

/** The error where selectEntries found no cluster, and this is no pod either. */
export function noCluster(config: KubeConfigFile, wanted = ""): KubeConfigError {
  const context = wanted === "" ? config.currentContext : wanted;
  const cluster = filledText(config.contexts.get(context) ?? {}, "cluster");
  const which =
    cluster === undefined
      ? `context "${context}" names no cluster`
      : `context "${context}" names cluster "${cluster}", which does not exist`;
  const reason = context === "" ? "no kubeconfig has a current context" : which;
  return new KubeConfigError(`${reason}, and this is not a pod with a service account`, { isEmpty: true });
}

/** Stands for the cluster that isn't there: that alone is no error. */
const noProblem: JsonObject = { server: "none" };

function missingContext(
  { contexts }: KubeConfigFile,
  { context, isChosen }: { readonly context: string; readonly isChosen: boolean },
): string {
  const names = [...contexts.keys()].map((name) => `"${name}"`).join(", ");
  const available = names === "" ? "the kubeconfig has no contexts" : `choose one of ${names}`;
  return isChosen
    ? `context "${context}" does not exist`
    : `current-context names "${context}", which does not exist; ${available}`;
}
