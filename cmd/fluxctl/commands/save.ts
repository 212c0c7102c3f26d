import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@weir/base";
import { flagsOf, text } from "@weir/cli";
import { UnknownEndpointError } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import type { SavedObject } from "../saving/saved-object.ts";

/** `fluxctl save`: writes the objects in the cluster as manifests. */
export function saveCommand(): Command {
  const out = text("out", {
    default: "-",
    usage:
      "Output path for exported config; the default. '-' indicates stdout; if a directory is given, each item will be saved in a file under the directory",
    shorthand: "o",
  });
  return {
    use: "save --out config/",
    example: "  fluxctl save",
    flags: flagsOf({ out }),
    async run(args, context) {
      refuseArguments(args);
      const client = await context.connect();
      const exported = await exportFrom(client, context);
      const folder = out.value === "-" ? undefined : await existingFolder(out.value);
      await saveAll(exported, folder, context);
    },
  };
}

/** The cluster's objects can't be saved. */
export class SaveError extends Error {
  override readonly name = "SaveError";
}

/**
 * Without --k8s-allow-namespace, Flux v1's fluxd can't export anything. A person gets all namespaces; scripts get the
 * same error as from Flux v1.
 */
async function exportFrom(client: ApiClient, { errScreen, signal }: CommandContext): Promise<string> {
  if (errScreen === undefined) {
    return client.exportAll(signal);
  }
  return client.exportEverything(signal).catch((error: unknown) => {
    if (error instanceof UnknownEndpointError) {
      return client.exportAll(signal);
    }
    throw error;
  });
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new SaveError(`stat ${path}: ${missing ? "no such file or directory" : messageOf(error)}`, {
      cause: error,
    });
  });
  if (!found.isDirectory()) {
    throw new SaveError(`path ${path} is not a directory`);
  }
  return path;
}

async function saveAll(
  exported: string,
  folder: string | undefined,
  { out, outDocument }: CommandContext,
): Promise<void> {
  const { readExport, printObject } = await import("../saving/save-yaml.ts");
  for (const object of readExport(exported)) {
    if (folder === undefined) {
      outDocument(printObject(object));
    } else {
      const path = await fileFor(object, folder);
      out(`Saving ${object.kind} '${object.name}' to ${path}\n`);
      await writeFile(path, printObject(object));
    }
  }
}

/** The file of an object, in a folder for its namespace, which is created. */
async function fileFor({ kind, name, namespace }: SavedObject, folder: string): Promise<string> {
  [kind, name, namespace].forEach(checkFileName);
  if (kind === "Namespace") {
    return join(folder, `${name}-ns.yaml`);
  }
  await mkdir(join(folder, namespace), { recursive: true });
  return join(folder, namespace, `${name}-${kind === "Deployment" ? "dep" : kind}.yaml`);
}

/** Names come from a server: none of them must lead out of the folder. */
function checkFileName(name: string): void {
  if (/[/\\\0]/.test(name) || name === "." || name === "..") {
    throw new SaveError(
      `part of the name of an exported object cannot be used in a file name: ${JSON.stringify(name)}`,
    );
  }
}
