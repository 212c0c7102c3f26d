import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Packs a folder; resolves to the name of the tarball in `destination`. npm sorts the files, and gives them one owner
 * and one time, so that the same files give the same bytes.
 */
export async function npmPack(folder: string, destination: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", destination],
    { cwd: folder, signal, maxBuffer: 16 * 1024 * 1024 },
  );
  const packed = JSON.parse(stdout) as
    | readonly { readonly filename: string }[]
    | Readonly<Record<string, { readonly filename: string }>>;
  const [first] = Object.values(packed);
  if (first === undefined) {
    throw new Error(`npm pack says nothing of what it packed in ${folder}`);
  }
  return first.filename;
}
