import { delimiter, join } from "node:path";
import { type Environment, kubernetesLimits, messageOf } from "@weir/base";
import { KubeConfigError, type KubeConfigFile, mergeKubeConfigs } from "./kube-config-file.ts";
import { parseKubeConfig } from "./parse-kube-config.ts";
import { readSmallFile } from "./small-file.ts";

/** Where a kubeconfig may come from. */
export interface KubeConfigSource {
  /** A file named by the operator; it must exist. */
  readonly kubeconfig?: string;
  readonly env: Environment;
}

/** The kubeconfig of the file given, else of the files of KUBECONFIG, else of ~/.kube/config, merged. */
export async function readKubeConfig(source: KubeConfigSource): Promise<KubeConfigFile> {
  if (source.kubeconfig !== undefined && source.kubeconfig !== "") {
    return parseKubeConfig(
      await readText(source.kubeconfig).catch(unreadable(source.kubeconfig)),
      source.kubeconfig,
    );
  }
  const files = await Promise.all(defaultPaths(source.env).map(readIfThere));
  return mergeKubeConfigs(files.filter((file) => file !== undefined));
}

/** The files that are read where none is named. */
export function defaultPaths(env: Environment): readonly string[] {
  const listed = env["KUBECONFIG"] ?? "";
  if (listed !== "") {
    return [...new Set(listed.split(delimiter).filter((path) => path !== ""))];
  }
  const home = env["HOME"] ?? "";
  return home === "" ? [] : [join(home, ".kube", "config")];
}

/** As kubectl: of the files that are only looked for, one that is not there is as good as an empty one. */
async function readIfThere(path: string): Promise<KubeConfigFile | undefined> {
  const text = await readText(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    return unreadable(path)(error);
  });
  return text === undefined ? undefined : parseKubeConfig(text, path);
}

async function readText(path: string): Promise<string> {
  return (await readSmallFile(path, kubernetesLimits.kubeConfig)).toString("utf8");
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw new KubeConfigError(`cannot read kubeconfig ${path}: ${messageOf(error)}`, {
      file: path,
      cause: error,
    });
  };
}
