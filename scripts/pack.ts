/**
 * Packs packages for publication, compiled and with their types: `node scripts/pack.ts [FOLDER]` writes
 * tarballs of @weir/base, @weir/kube, and @weir/engine to FOLDER, by default dist/packages.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compiledFolder, type PackageManifest, packedManifest } from "./pack/packed-manifest.ts";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
};
const names = ["base", "kube", "engine"];

const destination = resolve(process.argv[2] ?? join(root, "dist/packages"));
mkdirSync(destination, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "weir-pack-"));
try {
  for (const name of names) {
    pack(name);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack(name: string): void {
  const source = join(root, "packages", name);
  const staged = join(work, name);
  mkdirSync(staged);
  compile(source, join(staged, compiledFolder));
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as PackageManifest;
  writeFileSync(
    join(staged, "package.json"),
    `${JSON.stringify(packedManifest(manifest, version), undefined, 2)}\n`,
  );
  for (const file of manifest.files ?? []) {
    cpSync(join(source, file), join(staged, file), { recursive: true });
  }
  copyFileSync(join(source, "README.md"), join(staged, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(staged, "LICENSE"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", destination], { cwd: staged });
}

/** A separate compiler configuration, only for this package and its output. */
function compile(source: string, output: string): void {
  const config = join(source, "tsconfig.pack.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: join(source, "src"),
        outDir: output,
      },
      include: [join(source, "src")],
    }),
  );
  try {
    execFileSync(process.execPath, [tsc, "--project", config], { stdio: "inherit" });
  } finally {
    rmSync(config);
  }
}
