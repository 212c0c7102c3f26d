/** Files, beside package.json and its lock, that name the current version: recipes that people copy. */
export const versionFiles: readonly string[] = [
  "Dockerfile",
  "chart/weir-console/Chart.yaml",
  "chart/weir/Chart.yaml",
  "chart/weir/README.md",
  "deploy/README.md",
  "deploy/flux-deployment.yaml",
  "docs/api.md",
  "hub/docs/console-install.md",
  "docs/install.md",
  "docs/switching-from-flux-v1.md",
  "docs/verifying.md",
  "examples/pipelines/github/.github/workflows/diff.yaml",
  "examples/pipelines/gitlab/.gitlab-ci.yml",
];

/**
 * Before the version in such a file: the name of an image, the chart, or a program, a folder, a tag of git, a variable, a
 * value of the chart, or a quote.
 */
const before =
  String.raw`/weir:|/weir-console:|weir-|(?:fluxctl|fluxd|weir-console)_|/weir/|\bv|\bVERSION=|image\.tag=|newTag: |"|` +
  "`";

/** Behind it: no more of a longer version, but perhaps the rest of a file name, or which image it is. */
const behind = String.raw`(?=\.tgz|\.tar\.gz|_[a-z]|-(?:root|slim)(?!\.?[\w-]))|(?!\.?[\w-])`;

/** The text in which the next version stands wherever the current one did. */
export function withVersion(text: string, current: string, next: string): string {
  const mention = new RegExp(
    String.raw`(?<=${before})${current.replaceAll(".", String.raw`\.`)}(?:${behind})`,
    "g",
  );
  return text.replaceAll(mention, next);
}

/** A lockfile in which the package in the root has this version; those of others stay, also if they're the same. */
export function lockWithVersion(lock: string, next: string): string {
  const parsed = JSON.parse(lock) as Lockfile;
  const packages = { ...parsed.packages, "": { ...parsed.packages[""], version: next } };
  return `${JSON.stringify({ ...parsed, version: next, packages }, undefined, 2)}\n`;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, object>>;
}
