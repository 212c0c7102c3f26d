import { createHash } from "node:crypto";
import { once } from "node:events";
import { realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "@weir/base";

/** Another process on this machine, or this one, holds the folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
  readonly folder: string;

  constructor(folder: string, options?: ErrorOptions) {
    super(
      `${folder} is in use by another console: stop that one first, or set DATABASE_URL to run several consoles on one PostgreSQL`,
      options,
    );
    this.folder = folder;
  }
}

/**
 * Holds a folder until it's disposed, or until the process ends in whatever way: by listening on a socket whose name is
 * made of the folder's path. Throws FolderInUseError.
 */
export async function holdFolder(folder: string): Promise<AsyncDisposable> {
  const address = await addressOf(folder);
  const server = await listen(address).catch(async (error: unknown) => {
    if (errorCode(error) !== "EADDRINUSE") {
      throw error;
    }
    if (address.startsWith("\0") || (await isAnswered(address))) {
      throw new FolderInUseError(folder, { cause: error });
    }
    // A process that was killed left the file of its socket behind.
    await rm(address, { force: true });
    return listen(address);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

/** On Linux, a name without a file, which is free as soon as its process has ended. */
async function addressOf(folder: string): Promise<string> {
  const name = `weir-console-${createHash("sha256")
    .update(await realpath(folder))
    .digest("hex")
    .slice(0, 32)}`;
  switch (process.platform) {
    case "linux":
      return `\0${name}`;
    case "win32":
      return String.raw`\\.\pipe\${name}`;
    default:
      return join(tmpdir(), name);
  }
}

async function listen(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(address).unref();
  await once(server, "listening");
  return server;
}

async function isAnswered(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
