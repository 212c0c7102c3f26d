import { type Environment, type Finding, messageOf, warning } from "@weir/base";
import type { ResourceId } from "@weir/flux";
import type { RestClient } from "@weir/kube/rest";
import type { KindInUse } from "../../engine-adapter/rights.ts";
import type { Repository } from "../../git/repository.ts";
import type { DaemonArguments } from "../running-install/daemon-arguments.ts";
import type { DaemonPod } from "../running-install/daemon-pod.ts";
import { compare } from "./comparison.ts";
import { type DefaultNamespace, namespaceOfKubeConfig } from "./config-maps.ts";
import { TakeoverError } from "./errors.ts";
import { generatorPrograms, programsFindings } from "./generator-programs.ts";
import type { ComparisonOutcome } from "./report.ts";
import { openSource } from "./source.ts";
import type { SyncFlags } from "./sync-flags.ts";

/** A fluxd, and how to read its git repository. */
export interface GitComparison {
  readonly pod: DaemonPod;
  readonly args: DaemonArguments;
  readonly sync: SyncFlags;
  readonly client: RestClient;
  readonly newImage: string;
  readonly source: string;
  readonly runGenerators: boolean;
  readonly env: Environment;
}

/** The result; without a comparison, nothing is known about the objects in git. */
export interface Compared {
  readonly outcome: ComparisonOutcome;
  readonly findings: readonly Finding[];
  readonly ids: ReadonlySet<ResourceId>;
  readonly kindsInUse: readonly KindInUse[];
}

/** Compares git with the cluster, if that's possible. Rejects only if it's aborted. */
export async function compareWithGit(asked: GitComparison, signal: AbortSignal): Promise<Compared> {
  const obstacle = obstacleTo(asked);
  if (obstacle !== undefined) {
    return { ...nothing, outcome: { kind: "skipped", ...obstacle } };
  }
  try {
    const { branch, url } = asked.sync;
    const place = asked.source || withoutUser(url);
    await using source = await openSource({ ...asked, place, branch }, signal);
    return await lookInto(source.repository, asked, signal);
  } catch (error) {
    signal.throwIfAborted();
    const advice = error instanceof TakeoverError ? error.advice.join("\n") : "";
    return { ...nothing, outcome: { kind: "failed", reason: messageOf(error), advice } };
  }
}

const nothing = { findings: [], ids: new Set<ResourceId>(), kindsInUse: [] } as const;

/** fluxd's credentials aren't for other people, and a user name is of no use without its password or token. */
function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, "$1");
}

/** Why nothing can be compared, as far as that's known before git is read; undefined if nothing is in the way. */
function obstacleTo({
  args: { flags, error },
  sync,
}: Pick<GitComparison, "args" | "sync">): { readonly reason: string; readonly advice: string } | undefined {
  if (error !== "") {
    return { reason: "the flags in the Deployment can't be parsed", advice: "" };
  }
  if (sync.url === "") {
    return { reason: "the Deployment sets no --git-url", advice: "use --git-url to specify the URL" };
  }
  if (/\$\(/.test(sync.url)) {
    return {
      reason:
        "the Deployment takes parts of --git-url from somewhere else, and this command doesn't read Secrets",
      advice:
        "use --git-url to specify the URL that fluxd uses, with its user name; you can leave out the password",
    };
  }
  return flags.sops.value || flags.gitSecret.value
    ? {
        reason: "fluxd decrypts files in git (--sops or --git-secret), which this command can't do",
        advice: "",
      }
    : undefined;
}

async function lookInto(
  repository: Repository,
  asked: GitComparison,
  signal: AbortSignal,
): Promise<Compared> {
  const { sync, runGenerators } = asked;
  const findings = sync.manifestGeneration ? await lookForPrograms(repository, asked, signal) : [];
  if (sync.manifestGeneration && !runGenerators) {
    return { ...nothing, findings, outcome: { kind: "skipped", ...generatorsNotRun } };
  }
  const { namespace, unread } = await defaultNamespaceOf(asked, signal);
  const { revision, ids, changes, kindsInUse } = await compare(
    { ...asked, repository, defaultNamespace: namespace },
    signal,
  );
  const outcome = {
    kind: "compared",
    source: repository.safeUrl,
    revision,
    objects: ids.size,
    changes,
  } as const;
  return { outcome, findings: [...findings, ...guessFindings(unread)], ids, kindsInUse };
}

async function defaultNamespaceOf(
  { args, pod, client }: GitComparison,
  signal: AbortSignal,
): Promise<DefaultNamespace> {
  const namespace = args.flags.k8sDefaultNamespace.value;
  return namespace === ""
    ? await namespaceOfKubeConfig(pod, client, signal)
    : { namespace, unread: undefined };
}

/** Warns that the default namespace is only a guess. */
function guessFindings(unread: DefaultNamespace["unread"]): readonly Finding[] {
  return unread === undefined
    ? []
    : [
        warning(
          "kubeconfig",
          `fluxd's kubeconfig comes from ${unread.kind === "other" ? "volume" : unread.kind} ${unread.name}, which this command doesn't read`,
          "if its context sets a namespace other than default, manifests without a namespace are compared with the wrong objects; to prevent that, set --k8s-default-namespace in the Deployment",
        ),
      ];
}

const generatorsNotRun = {
  reason: "fluxd runs with --manifest-generation, so commands in .flux.yaml files print the manifests",
  advice:
    "use --run-generators to run these commands on this machine, with your permissions; read them first",
};

async function lookForPrograms(
  repository: Repository,
  { sync: { paths }, newImage }: Pick<GitComparison, "sync" | "newImage">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const revision = await repository.branchHead(signal);
  await using files = await repository.export(revision, signal);
  return programsFindings(await generatorPrograms(files.dir, paths), newImage);
}
