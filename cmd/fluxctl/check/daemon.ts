/** What fluxd itself is asked, through its API. */

import { type Finding, failed, messageOf, passed, warning } from "@weir/base";
import type { ApiClient } from "../../../src/api/client/client.ts";
import type { GitConfigReport } from "../../../src/api/types/api-server.ts";
import { OldDaemonError, requireWeir } from "../require-weir.ts";

/** What came of asking a fluxd. */
export interface DaemonFindings {
  readonly findings: readonly Finding[];
  /** It cannot be asked for its permissions: it is a Flux v1, or an older Weir. */
  readonly isOld: boolean;
}

/** Asks a fluxd what it finds when it looks at itself; one that cannot, for all that it does tell. */
export async function checkDaemon(client: ApiClient, signal: AbortSignal): Promise<DaemonFindings> {
  const answers = passed("API", `fluxd ${await client.version(signal)} answers`);
  try {
    const found = await requireWeir("a check", client.check(signal));
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

/** What the state of the mirror says of git. */
export function gitFinding({ status, url, branch, errors, publicSshKey }: GitConfigReport): Finding {
  const subject = "git";
  const key = publicSshKey.key.trim();
  const keyAdvice =
    key === ""
      ? "check --git-url, and the user and password of the repository"
      : `check --git-url, and add fluxd's deploy key to the repository, with the right to write; the key is:\n${key}`;
  switch (status) {
    case "ready":
      return passed(subject, `${url} is used, branch ${branch}`);
    case "unconfigured":
      return failed(subject, "no git repository is configured", "start fluxd with --git-url");
    case "cloned":
      return failed(
        subject,
        `${url} can be read, but not written or has no branch ${branch}: ${errors}`,
        keyAdvice,
      );
    case "new":
    case "unreachable":
      return failed(subject, `${url} cannot be read: ${errors}`, keyAdvice);
  }
}

async function syncFinding(client: ApiClient, signal: AbortSignal): Promise<Finding> {
  const subject = "sync";
  try {
    const waiting = await client.syncStatus("HEAD", signal);
    return waiting.length === 0
      ? passed(subject, "all of the branch is applied")
      : warning(subject, `commits that are not applied yet: ${waiting.length}`, "run `fluxctl sync`");
  } catch (error) {
    signal.throwIfAborted();
    return warning(
      subject,
      `how far fluxd has come cannot be told: ${messageOf(error)}`,
      "see the log of fluxd",
    );
  }
}
