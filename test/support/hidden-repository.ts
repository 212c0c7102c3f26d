import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TestRepository } from "./repository.ts";

interface Recorded {
  /** The secret key, armored. */
  readonly key: string;
  /** Base64 by path. */
  readonly files: Readonly<Record<string, string>>;
}

const place = join(import.meta.dirname, "../fixtures/git-secret/repository.json");

/** An upstream with two files that the real git-secret 0.5.0 hid, app/secret.yaml and w.yaml, and others. */
export async function hiddenRepository(
  others: Readonly<Record<string, string | null>> = {},
): Promise<TestRepository> {
  const repository = await TestRepository.create({});
  for (const [path, content] of Object.entries(recorded().files)) {
    await mkdir(dirname(join(repository.workTree, path)), { recursive: true });
    await writeFile(join(repository.workTree, path), Buffer.from(content, "base64"));
  }
  await repository.push(others, "hidden and plain");
  return repository;
}

/** The file with the key that the files are hidden for. */
export async function writeKey(folder: string): Promise<string> {
  const path = join(folder, "key.asc");
  await writeFile(path, recorded().key, { mode: 0o600 });
  return path;
}

function recorded(): Recorded {
  return JSON.parse(readFileSync(place, "utf8")) as Recorded;
}
