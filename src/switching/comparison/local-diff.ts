/**
 * Compares a folder with a cluster, as if it were what git has: takes fluxd's settings, and the credentials of the
 * person who asks. fluxd takes no part in it: that person may read and try only what the API server lets them.
 */
import type { Environment } from "@weir/base";
import { parsePruneLimit } from "@weir/engine";
import { sortedChanges, withoutBookkeeping } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import { createRestClient } from "@weir/kube/client";
import { type ClusterCredentials, createDiscovery, type RestClient } from "@weir/kube/rest";
import { DiscoveredScopes } from "../../engine-adapter/scope.ts";
import { ComparisonError } from "./errors.ts";
import { requirePaths } from "./git-paths.ts";
import { type LoadedFolder, loadFolder } from "./load-folder.ts";
import { notesOn } from "./notes.ts";
import { previewSync } from "./preview-sync.ts";
import { problemsOf } from "./problems.ts";
import { readOnlyClient } from "./read-only-client.ts";
import type { ComparisonReport } from "./report.ts";
import { snapshotOf, type TakenSnapshot } from "./take-snapshot.ts";
import { TempCopies } from "./temp-copies.ts";

/** What to compare, and with which cluster. */
export interface LocalDiffRequest {
  readonly dir: string;
  readonly credentials: ClusterCredentials;
  readonly settings: SyncSettings;
  /** Whether to run the commands in .flux.yaml files on this machine. */
  readonly runGenerators: boolean;
  /** The time limit for a generator, in milliseconds. */
  readonly timeout: number;
  readonly env: Environment;
}

/** What would change. Rejects with ComparisonError, and if the cluster doesn't respond. */
export async function diffLocal(request: LocalDiffRequest, signal: AbortSignal): Promise<ComparisonReport> {
  refuseDecryption(request, "only fluxd has the keys", "`fluxctl diff --ref=BRANCH` compares a branch.");
  await using copies = await TempCopies.open(request.env);
  const { root } = await copies.workingFiles(request.dir, signal);
  return await reading(request, (client) => compare(root, client, request, signal));
}

/** Reads the snapshot of a cluster. Rejects with ComparisonError, and if the cluster doesn't respond. */
export async function takeSnapshot(
  { credentials, settings }: Pick<LocalDiffRequest, "credentials" | "settings">,
  signal: AbortSignal,
): Promise<TakenSnapshot> {
  refuseDecryption(
    { settings },
    "any object could contain decrypted values, and a file must not",
    "Compare folders or commits with each other: fluxctl diff --local=. --offline --against=origin/main",
  );
  return await reading({ credentials }, (client) => snapshotOf(client, settings, signal));
}

function refuseDecryption(
  { settings }: Pick<LocalDiffRequest, "settings">,
  reason: string,
  advice: string,
): void {
  if (settings.decrypts) {
    throw new ComparisonError(`fluxd decrypts files in git (--sops or --git-secret), and ${reason}`, [
      advice,
    ]);
  }
}

async function reading<T>(
  { credentials }: Pick<LocalDiffRequest, "credentials">,
  work: (client: RestClient) => Promise<T>,
): Promise<T> {
  const client = readOnlyClient(createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 30_000 }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function compare(
  root: string,
  client: RestClient,
  request: LocalDiffRequest,
  signal: AbortSignal,
): Promise<ComparisonReport> {
  const { settings } = request;
  const loaded = await load(root, client, request, signal);
  const { resources, heldBack, complete } = loaded;
  const set = { name: settings.syncSetName, revision: "local", resources, heldBack, complete };
  const pruneLimit = parsePruneLimit(settings.pruneLimit);
  const previews = await previewSync(set, { ...settings, client, pruneLimit }, signal);
  const changes = sortedChanges(withoutBookkeeping(previews));
  const unknownKindAdvice = "fluxd leaves out objects of kinds that the cluster doesn't know";
  const problems = await problemsOf({ root, loaded, changes, unknownKindAdvice });
  return { changes, problems, notes: notesOn(loaded, settings) };
}

async function load(
  root: string,
  client: RestClient,
  { settings, runGenerators, timeout, env }: LocalDiffRequest,
  signal: AbortSignal,
): Promise<LoadedFolder> {
  return await loadFolder(
    {
      root,
      paths: await requirePaths(root, settings.paths),
      scopes: new DiscoveredScopes(createDiscovery(client), settings.defaultNamespace),
      quarantine: true,
      generators: settings.manifestGeneration ? (runGenerators ? "run" : "skip") : "ignore",
      generation: { env, timeout },
    },
    signal,
  );
}
