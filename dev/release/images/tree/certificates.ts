import { mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../run-program.ts";
import { type Entry, file, link, type Tree } from "./entry.ts";

const source = "usr/share/ca-certificates/";

/** What update-ca-certificates makes: a bundle of all authorities, and a link to each by its name and by its hash. */
export async function certificateEntries(tree: Tree, signal: AbortSignal): Promise<readonly Entry[]> {
  const authorities = [...tree.values()]
    .filter((entry) => entry.kind === "file" && entry.path.startsWith(source) && entry.path.endsWith(".crt"))
    .flatMap((entry) => (entry.kind === "file" ? [entry] : []))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const names = authorities.map(({ path }) => `${(path.split("/").at(-1) ?? "").replace(/\.crt$/, "")}.pem`);
  const hashes = await hashLinks(
    authorities.map(({ content }, index) => ({ name: names[index] ?? "", content })),
    signal,
  );
  return [
    file(
      "etc/ca-certificates.conf",
      authorities.map(({ path }) => `${path.slice(source.length)}\n`).join(""),
    ),
    file("etc/ssl/certs/ca-certificates.crt", Buffer.concat(authorities.map(({ content }) => content))),
    ...authorities.map(({ path }, index) => link(`etc/ssl/certs/${names[index] ?? ""}`, `/${path}`)),
    ...hashes.map(({ name, target }) => link(`etc/ssl/certs/${name}`, target)),
  ];
}

/** The names by which OpenSSL finds certificates in a folder. */
async function hashLinks(
  certificates: readonly { readonly name: string; readonly content: Buffer }[],
  signal: AbortSignal,
): Promise<readonly { readonly name: string; readonly target: string }[]> {
  const folder = await mkdtemp(join(tmpdir(), "weir-certificates-"));
  try {
    await Promise.all(certificates.map(({ name, content }) => writeFile(join(folder, name), content)));
    await runProgram({ program: "openssl", debianPackage: "openssl", args: ["rehash", folder], signal });
    const all = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    return await Promise.all(
      all.map(async ({ name }) => ({ name, target: await readlink(join(folder, name)) })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
