/** The checks that fluxd performs itself, requested through its API. */

import { type Finding, failed, messageOf, passed, warning } from "@weir/base";
import type { GitConfigReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { OldDaemonError, requireWeir } from "../daemon/require-weir.ts";

/** The result of asking a fluxd. */
export interface DaemonFindings {
  readonly findings: readonly Finding[];
  /** It can't report its permissions: it's Flux v1, or an older Weir. */
  readonly isOld: boolean;
}

/** Asks fluxd for its self-check; if it doesn't support that, collects everything else that it reports. */
export async function checkDaemon(client: ApiClient, signal: AbortSignal): Promise<DaemonFindings> {
  const answers = passed("API", `fluxd ${await client.version(signal)} responds`);
  try {
    const found = await requireWeir("`fluxctl check`", client.check(signal));
    return { findings: [answers, ...found], isOld: false };
  } catch (error) {
    if (!(error instanceof OldDaemonError)) {
      throw error;
    }
    return { findings: [answers, ...(await checkOldDaemon(client, signal))], isOld: true };
  }
}

async function checkOldDaemon(client: ApiClient, signal: AbortSignal): Promise<readonly Finding[]> {
  const config = await client.gitRepoConfig(false, signal);
  const git = gitFinding(config);
  return git.verdict === "passed" ? [git, await syncFinding(client, signal)] : [git];
}

/** Finding about git, from the state of the mirror. */
export function gitFinding({ status, url, branch, errors, publicSshKey }: GitConfigReport): Finding {
  const subject = "git";
  const key = publicSshKey.key.trim();
  const keyAdvice =
    key === ""
      ? "check --git-url and the repository's user name and password"
      : `check --git-url, and add fluxd's deploy key to the repository with write access. The key is:\n${key}`;
  switch (status) {
    case "ready":
      return passed(subject, `using branch ${branch} of ${url}`);
    case "unconfigured":
      return failed(subject, "no git repository is configured", "start fluxd with --git-url");
    case "cloned":
      return failed(
        subject,
        `can read ${url}, but cannot write to it, or branch ${branch} does not exist: ${errors}`,
        keyAdvice,
      );
    case "new":
    case "unreachable":
      return failed(subject, `cannot read ${url}: ${errors}`, keyAdvice);
  }
}

async function syncFinding(client: ApiClient, signal: AbortSignal): Promise<Finding> {
  const subject = "sync";
  try {
    const waiting = await client.syncStatus("HEAD", signal);
    return waiting.length === 0
      ? passed(subject, "all commits of the branch are applied")
      : warning(subject, `commits not applied yet: ${waiting.length}`, "run `fluxctl sync`");
  } catch (error) {
    signal.throwIfAborted();
    return warning(subject, `cannot tell how far fluxd has synced: ${messageOf(error)}`, "check fluxd's log");
  }
}
