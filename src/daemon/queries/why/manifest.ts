import { type Clock, Deadline } from "@weir/base";
import { partsOfResourceId, printImageRef, type Resource } from "@weir/flux";
import type { WhyManifest } from "@weir/flux/api";
import { locateDocument } from "../../../manifests/locate-document.ts";
import type { CommitDetails, DaemonSettings, Repo } from "../../ports.ts";
import { storyOf } from "./commit-story.ts";

/**
 * Where a resource is in git, and who changed it last. What takes git too long or can't be found, such as the lines of a
 * generated manifest, is left out.
 */
export async function describeManifest(
  resource: Resource,
  revision: string,
  { repo, settings, clock }: ManifestDependencies,
  signal: AbortSignal,
): Promise<WhyManifest> {
  const { id, source, bytes, containers = [], policies, confidential } = resource;
  const isOpen = confidential === undefined;
  const manifest = {
    source,
    line: 0,
    lastLine: 0,
    text: isOpen && partsOfResourceId(id).kind !== "secret" ? bytes : "",
    containers: isOpen ? containers.map(({ name, image }) => ({ name, image: printImageRef(image) })) : [],
    policies: isOpen ? policies : {},
  };
  using deadline = new Deadline(clock, settings.gitTimeout, signal);
  try {
    const text = await repo.file(revision, source, deadline.signal);
    if (text === undefined) {
      return manifest;
    }
    const lines = locateDocument(text, resource.id);
    const details =
      lines === undefined
        ? await lastOfFile(source, revision, repo, deadline.signal)
        : await repo.lastChange({ revision, path: source, ...lines }, deadline.signal);
    return {
      ...manifest,
      line: lines?.from ?? 0,
      lastLine: lines?.to ?? 0,
      ...(details === undefined ? {} : { commit: await storyOf(details, repo, deadline.signal) }),
    };
  } catch {
    signal.throwIfAborted();
    return manifest;
  }
}

export interface ManifestDependencies {
  readonly repo: Pick<Repo, "file" | "lastChange" | "commit" | "commitsBefore" | "note">;
  readonly settings: Pick<DaemonSettings, "gitTimeout">;
  readonly clock: Clock;
}

async function lastOfFile(
  path: string,
  revision: string,
  repo: ManifestDependencies["repo"],
  signal: AbortSignal,
): Promise<CommitDetails | undefined> {
  const [last] = await repo.commitsBefore(revision, [path], signal);
  return last && repo.commit(last.revision, signal);
}
