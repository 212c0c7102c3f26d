import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const examples = join(import.meta.dirname, "..", "..", "examples");

/** The files of an example, by their paths in the repository. */
export function exampleFiles(name: string): Readonly<Record<string, string>> {
  const folder = join(examples, name);
  const files = globSync(["**/*", "**/.*"], { cwd: folder }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** Flags about where the repository is, which a test sets itself. */
const ofRepository = ["--git-url=", "--git-branch="];

/** The flags of fluxd in a chapter of an example's README, without those about where the repository is. */
export function exampleFlags(name: string, chapter = "Flags"): readonly string[] {
  const readme = readFileSync(join(examples, name, "README.md"), "utf8");
  const [, text = ""] = readme.split(new RegExp(`^## ${chapter}$`, "m"));
  const [own = ""] = text.split(/^## /m);
  const flags = own.split("\n").filter((line) => line.startsWith("    --"));
  return flags
    .map((line) => line.trim())
    .filter((flag) => !ofRepository.some((each) => flag.startsWith(each)));
}
