import { tmpdir } from "node:os";
import { type Environment, type Logger, type Metrics, systemClock } from "@weir/base";
import { gitEnvironment } from "../../src/git/environment.ts";
import { type GitMetrics, openGitMetrics } from "../../src/git/metrics.ts";
import { Repository } from "../../src/git/repository.ts";
import type { Reveal } from "../../src/git/reveal.ts";
import type { FluxdConfig } from "./settings.ts";
import type { Signatures } from "./signatures.ts";

/** Opens the repository that the flags name and follows it until `cleanup` stops it. */
export async function openRepository(
  { git, manifestGeneration }: Pick<FluxdConfig, "git" | "manifestGeneration">,
  { env, metrics, logger, cleanup, reveal, verifier, signer }: RepositoryContext,
): Promise<Repository> {
  const measured = openGitMetrics(metrics, systemClock);
  const repository = await Repository.open({
    url: git.url,
    branch: git.branch,
    paths: git.paths,
    notesRef: git.notesRef,
    user: { name: git.user, email: git.email },
    wholeTree: manifestGeneration,
    readonly: git.readonly,
    pollInterval: git.pollInterval,
    timeout: git.timeout,
    tempDir: tmpdir(),
    environment: gitEnvironment(env),
    clock: systemClock,
    logger,
    reveal,
    verifier,
    signer,
    onFetch: (success) => measured.countFetch(success),
  });
  cleanup.defer(() => repository.stop());
  report(repository, measured, logger);
  repository.start();
  return repository;
}

export interface RepositoryContext extends Pick<Signatures, "verifier" | "signer"> {
  readonly env: Environment;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Decrypts files in work trees; undefined for none. */
  readonly reveal: Reveal | undefined;
  /** Stops following the repository. */
  readonly cleanup: AsyncDisposableStack;
}

/** Reports the state of the repository in a metric and the log, whenever it changes. */
function report(repository: Repository, metrics: GitMetrics, logger: Logger): void {
  let before = repository.status().status;
  repository.onStatus(() => {
    const { status, error } = repository.status();
    // On changing to "cloned", logs the next step; if that repeats, logs the error.
    const failed = error !== "" && (status !== "cloned" || before === "cloned");
    before = status;
    metrics.setReady(status === "ready");
    logger.log({ url: repository.safeUrl, status, ...(failed ? { err: error } : {}) });
  });
}
