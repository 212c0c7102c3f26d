import { readFile } from "node:fs/promises";
import type { HostCredentials } from "../../image/credentials.ts";
import { type DockerConfig, parseDockerConfig } from "../../image/docker-config.ts";
import type { HostCredentialSource } from "./source.ts";

/** Reads a docker config each time, as Flux v1 does: it may be a secret that is mounted and changes. */
export function dockerConfigFile(path: string): HostCredentialSource {
  return {
    title: "docker config",
    async credentialsFor(host): Promise<HostCredentials | undefined> {
      return (await readDockerConfig(path)).credentials.get(host);
    },
  };
}

/** Rejects where there is no such file, or it is no docker config. */
export async function readDockerConfig(path: string): Promise<DockerConfig> {
  return parseDockerConfig(await readFile(path, "utf8"), path);
}
