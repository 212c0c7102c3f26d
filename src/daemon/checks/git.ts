import { type Checkup, type Finding, failed, messageOf, passed, TimeoutError, warning } from "@weir/base";
import type { Repo, RepoStatus } from "../ports.ts";
import { adviceFor, gistOf, noBranchAdvice, unreachableAdvice } from "./git-advice.ts";

const reading = "git read";
const writing = "git write";

/**
 * Checks that the repository can be read and written to. If that worked before, tries it now; otherwise, reports the
 * last attempt.
 */
export function gitCheckup(options: GitCheckOptions): Checkup {
  return { subject: "git", look: (signal) => look(options, signal) };
}

export interface GitCheckOptions {
  readonly repo: Pick<Repo, "safeUrl" | "readonly" | "status" | "peek" | "checkWrite" | "branchHead">;
  readonly branch: string;
  /** The public SSH key of fluxd; "" if it has none. */
  readonly publicKey: (signal: AbortSignal) => Promise<string>;
}

async function look(options: GitCheckOptions, signal: AbortSignal): Promise<readonly Finding[]> {
  const { repo, branch } = options;
  const status = repo.status();
  const key = await options.publicKey(signal);
  switch (status.status) {
    case "unconfigured":
      return [failed(reading, "no git repository is configured", "start fluxd with --git-url")];
    case "new":
    case "unreachable":
      return [unread(repo.safeUrl, status, key)];
    case "cloned":
      return cloned(repo.safeUrl, branch, status, key);
    case "ready":
      return [await read(options, key, signal), await written(options, key, signal)];
  }
}

function unread(url: string, status: RepoStatus, key: string): Finding {
  return status.hindrance === "untried"
    ? warning(reading, `${url} is being cloned`, "wait a moment, and check again")
    : failed(reading, `cannot read ${url}: ${gistOf(status.error)}`, adviceOn(status, key));
}

/** There's a clone, so reading works; the branch or write access is missing. */
function cloned(url: string, branch: string, status: RepoStatus, key: string): readonly Finding[] {
  if (status.hindrance === "no-branch") {
    return [failed(reading, `can read ${url}, but branch ${branch} doesn't exist`, noBranchAdvice)];
  }
  const write =
    status.hindrance === "untried"
      ? warning(writing, `still checking write access to ${url}`, "wait a moment, and check again")
      : failed(writing, `cannot write to ${url}: ${gistOf(status.error)}`, orReadonly(adviceOn(status, key)));
  return [passed(reading, `can read ${url}`), write];
}

async function read({ repo, branch }: GitCheckOptions, key: string, signal: AbortSignal): Promise<Finding> {
  try {
    await repo.peek(signal);
    const head = await repo.branchHead(signal);
    return passed(reading, `can read ${repo.safeUrl}; ${branch} is at ${head.slice(0, 7)}`);
  } catch (error) {
    const problem = problemOf(error);
    const found = `can no longer read ${repo.safeUrl}: ${gistOf(problem.error)}`;
    return failed(reading, found, adviceOn(problem, key));
  }
}

async function written({ repo }: GitCheckOptions, key: string, signal: AbortSignal): Promise<Finding> {
  if (repo.readonly) {
    return passed(writing, "fluxd doesn't write to git (--git-readonly)");
  }
  try {
    await repo.checkWrite(signal);
    return passed(writing, `can write to ${repo.safeUrl}`);
  } catch (error) {
    const problem = problemOf(error);
    const found = `cannot write to ${repo.safeUrl}: ${gistOf(problem.error)}`;
    return failed(writing, found, orReadonly(adviceOn(problem, key)));
  }
}

/** What went wrong, and why, as far as that's distinguished. */
type Problem = Pick<RepoStatus, "error" | "hindrance">;

/** If git was ended because it took too long, the time limit is the cause of the error. */
function problemOf(error: unknown): Problem {
  const isLate = error instanceof Error && error.cause instanceof TimeoutError;
  return { error: messageOf(error), ...(isLate ? { hindrance: "timeout" } : {}) };
}

function adviceOn({ error, hindrance }: Problem, key: string): string {
  return hindrance === "timeout" ? unreachableAdvice : adviceFor(error, key);
}

function orReadonly(advice: string): string {
  return `${advice}\nif fluxd doesn't need write access, start it with --git-readonly`;
}
