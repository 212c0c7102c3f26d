import { basename, posix } from "node:path";
import type { Metafile } from "esbuild";
import { metafileOfPage, pageFolder } from "../../../scripts/build/page-contents.ts";
import { metafileOf } from "../../../scripts/build/program-contents.ts";
import { mergeMetafiles } from "../../../scripts/build/third-party.ts";
import { ownFolder } from "./image-documents.ts";

/** What the files of `dist` are made of that an image with these paths has. */
export function builtContentsOf(paths: ReadonlySet<string>, root: string): Metafile {
  const names = [...paths].filter((path) => posix.dirname(path) === `${ownFolder}/lib`);
  const programs = metafileOf(
    root,
    names.map((path) => basename(path)),
  );
  const hasPage = paths.has(`${ownFolder}/${pageFolder}/index.html`);
  return mergeMetafiles([programs, ...(hasPage ? [metafileOfPage(root)] : [])]);
}
