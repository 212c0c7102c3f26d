/** Collects what's wrong with the manifests of a folder, each with its file and line. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { compareGoStrings } from "@weir/base";
import type { ResourcePreview } from "@weir/flux";
import type { ManifestSet } from "../../manifests/assemble.ts";
import { DuplicateManifestError, type ManifestError } from "../../manifests/errors.ts";
import { readFileInside } from "../../manifests/files/read-file.ts";
import { manifestLines } from "../../manifests/manifest-lines.ts";
import type { Problem } from "./report.ts";

/** A loaded folder, and what an API server says about its objects. */
export interface ProblemSources {
  readonly root: string;
  readonly loaded: Pick<ManifestSet, "problems" | "unscoped" | "resources">;
  readonly changes: readonly ResourcePreview[];
  /** What to do about a kind that the API server doesn't know. */
  readonly unknownKindAdvice: string;
}

/** All problems, sorted by place. */
export async function problemsOf(sources: ProblemSources): Promise<readonly Problem[]> {
  const lines = new LineIndex(await realpath(sources.root));
  const found = [
    ...(await Promise.all(sources.loaded.problems.map((problem) => problemOf(problem, lines)))),
    ...(await Promise.all(unknownKinds(sources, lines))),
    ...(await Promise.all(refusals(sources, lines))),
  ];
  return found.sort(
    (a, b) =>
      compareGoStrings(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareGoStrings(a.message, b.message),
  );
}

async function problemOf(error: ManifestError | DuplicateManifestError, lines: LineIndex): Promise<Problem> {
  const { source, message } = error;
  const line =
    error instanceof DuplicateManifestError
      ? (await lines.of(source)).findLast(({ ids }) => ids.has(error.id))?.line
      : error.line;
  return { file: source, line, message };
}

function unknownKinds(
  { loaded, unknownKindAdvice }: ProblemSources,
  lines: LineIndex,
): readonly Promise<Problem>[] {
  return loaded.unscoped.map(async ({ id, content: { apiVersion, kind, source, bytes } }) => ({
    file: source,
    line: await lines.ofBytes(source, bytes),
    message: `${id}: no matches for kind "${kind}" in version "${apiVersion}"; ${unknownKindAdvice}`,
  }));
}

function refusals({ loaded, changes }: ProblemSources, lines: LineIndex): readonly Promise<Problem>[] {
  return changes
    .filter(({ error }) => error !== "")
    .map(async ({ id, source, error }) => {
      const bytes = loaded.resources.get(id)?.bytes ?? "";
      return { file: source, line: await lines.ofBytes(source, bytes), message: `${id}: ${error}` };
    });
}

type FileLines = Awaited<ReturnType<LineIndex["of"]>>;

/** Where the manifests of files start; each file is read once, and one that can't be read has none. */
class LineIndex {
  readonly #root: string;
  readonly #files = new Map<string, Promise<ReturnType<typeof manifestLines>>>();

  constructor(root: string) {
    this.#root = root;
  }

  of(source: string): Promise<ReturnType<typeof manifestLines>> {
    const known = this.#files.get(source) ?? this.#read(source);
    this.#files.set(source, known);
    return known;
  }

  async ofBytes(source: string, bytes: string): Promise<number | undefined> {
    const found: FileLines = await this.of(source);
    return found.find((each) => each.bytes.has(bytes))?.line;
  }

  async #read(source: string): Promise<ReturnType<typeof manifestLines>> {
    try {
      return manifestLines(await readFileInside(this.#root, join(this.#root, source)), source);
    } catch {
      return [];
    }
  }
}
