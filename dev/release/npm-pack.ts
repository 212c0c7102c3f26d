import { runTool } from "./run-tool.ts";

const quiet = ["--ignore-scripts", "--prefer-offline", "--no-update-notifier", "--loglevel=error"];

/**
 * Packs a folder, or downloads a package such as "ws@8.0.0"; resolves to the name of the tarball in `destination`. npm sorts
 * the files, and gives them one owner and one time, so that the same files give the same bytes.
 */
export async function npmPack(source: string, destination: string, signal: AbortSignal): Promise<string> {
  const args = ["pack", source, "--json", ...quiet, "--pack-destination", destination];
  const packed = JSON.parse(await runTool({ program: "npm", debianPackage: "npm", args }, signal)) as
    | readonly { readonly filename: string }[]
    | Readonly<Record<string, { readonly filename: string }>>;
  const [first] = Object.values(packed);
  if (first === undefined) {
    throw new Error(`npm pack says nothing of what it packed of ${source}`);
  }
  return first.filename;
}
