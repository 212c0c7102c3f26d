import { type Mark, markFile } from "./mark-file.ts";
import type { Marker } from "./markers.ts";

/** A file of the repository. */
export interface ManifestFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** What markers change in all files. */
export interface MarkPlan {
  /** The files that change, with their new text. */
  readonly files: readonly ManifestFile[];
  readonly marks: readonly (Mark & Pick<ManifestFile, "path">)[];
  /** Markers for which no manifest was found. */
  readonly unplaced: readonly Marker[];
}

/** Works out which files get which markers. A workload that several manifests define gets no marker. */
export function planMarks(
  files: readonly ManifestFile[],
  markers: readonly Marker[],
  defaultNamespace: string,
): MarkPlan {
  const found = files.flatMap(({ path, text }) =>
    markFile(text, markers, defaultNamespace).marks.map((mark) => ({ ...mark, path })),
  );
  const marks = found.map((mark) =>
    found.some((other) => other !== mark && other.marker === mark.marker)
      ? { ...mark, outcome: "refused" as const, reason: "several manifests define this workload" }
      : mark,
  );
  const wanted = new Set(marks.filter(({ outcome }) => outcome === "added").map(({ marker }) => marker));
  return {
    files: files
      .map(({ path, text }) => ({ path, text: markFile(text, [...wanted], defaultNamespace).text }))
      .filter(({ text }, index) => text !== files[index]?.text),
    marks,
    unplaced: markers.filter((marker) => !found.some((mark) => mark.marker === marker)),
  };
}
