import { randomUUID } from "node:crypto";
import { chmod, lstat, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";

/** How many times to go through a folder in which files are still being created. */
const rounds = 3;

/**
 * Removes a folder with all its content, if it exists: even if paths are longer than the system allows, names aren't
 * valid UTF-8, folders aren't readable, or something still writes to it.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    for (let round = 0; round < rounds && (await isFolder(folder)); round += 1) {
      await flatten(folder).catch(() => undefined);
      await rmdir(folder).catch(() => undefined);
    }
    if (await isFolder(folder)) {
      throw error;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/**
 * Moves each folder up to the top before going into it, so that no path gets longer than two names. First gives each
 * one its permissions back.
 */
async function flatten(top: string): Promise<void> {
  await chmod(top, 0o700);
  const folders = await removeFiles(Buffer.from(top), (name) => under(Buffer.from(top), name));
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    folders.push(...(await removeFiles(folder, () => under(Buffer.from(top), Buffer.from(randomUUID())))));
    await rmdir(folder);
  }
}

/** Removes the files of a folder and moves its subfolders; resolves to the new paths of these. */
async function removeFiles(folder: Buffer, placeOf: (name: Buffer) => Buffer): Promise<Buffer[]> {
  const folders: Buffer[] = [];
  for (const entry of await readdir(folder, { encoding: "buffer", withFileTypes: true })) {
    const path = under(folder, entry.name);
    if (entry.isDirectory()) {
      const place = placeOf(entry.name);
      await chmod(path, 0o700);
      await rename(path, place);
      folders.push(place);
    } else {
      await unlink(path);
    }
  }
  return folders;
}

function under(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
