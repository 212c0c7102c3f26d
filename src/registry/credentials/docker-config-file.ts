import { readFile } from "node:fs/promises";
import { type DockerConfig, type HostCredentials, parseDockerConfig } from "@weir/flux";
import type { HostCredentialSource } from "./source.ts";

/** Reads a Docker config file each time, as Flux v1 does, because a mounted secret can change. */
export function dockerConfigFile(path: string): HostCredentialSource {
  return {
    title: "docker config",
    async credentialsFor(host): Promise<HostCredentials | undefined> {
      return (await readDockerConfig(path)).credentials.get(host);
    },
  };
}

/** Rejects if the file doesn't exist or isn't a Docker config file. */
export async function readDockerConfig(path: string): Promise<DockerConfig> {
  return parseDockerConfig(await readFile(path, "utf8"), path);
}
