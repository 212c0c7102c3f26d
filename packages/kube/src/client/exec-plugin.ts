import { spawn } from "node:child_process";
import {
  type Clock,
  Deadline,
  type Environment,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kubernetesLimits,
  messageOf,
} from "@weir/base";
import { KubeConfigError, textOf } from "./kube-config-file.ts";

/** How long a credential plugin may take. */
const timeLimitMs = 60_000;
const apiVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** A credential as a plugin gives it. */
export interface ExecCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since the epoch; undefined where it is good until the server refuses it. */
  readonly expiresAt?: number;
}

/** A `users[].user.exec` of a kubeconfig, checked. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
}

/** Checks the exec entry of a kubeconfig's user. Throws KubeConfigError. */
export function parseExecPlugin(exec: JsonObject, user: string): ExecPlugin {
  const apiVersion = textOf(exec["apiVersion"]) ?? "";
  const command = textOf(exec["command"]) ?? "";
  if (!apiVersions.includes(apiVersion)) {
    throw new KubeConfigError(
      `user "${user}": exec: apiVersion "${apiVersion}" is not supported; use one of ${apiVersions.join(", ")}`,
    );
  }
  return {
    apiVersion,
    command,
    args: listOf(exec["args"]).flatMap((arg) => textOf(arg) ?? []),
    env: Object.fromEntries(listOf(exec["env"]).flatMap(variableOf)),
    installHint: textOf(exec["installHint"]) ?? "",
    provideClusterInfo: exec["provideClusterInfo"] === true,
  };
}

/** What a plugin is run in. */
export interface PluginSurroundings {
  readonly cluster: JsonObject;
  readonly env: Environment;
  readonly clock: Clock;
  /** Ends it while it still runs. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a plugin as client-go does: KUBERNETES_EXEC_INFO tells it what is asked, its standard output is an
 * ExecCredential, its standard error goes to ours. Rejects with KubeConfigError; the output is never quoted.
 * @kubernetes/client-node's own runner sets no KUBERNETES_EXEC_INFO, knows no time limit and cannot be stopped.
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  { cluster, env, clock, signal }: PluginSurroundings,
): Promise<ExecCredential> {
  const info = {
    apiVersion: plugin.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(plugin.provideClusterInfo ? { cluster } : {}) },
  };
  const variables = { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  using limit = new Deadline(clock, timeLimitMs, signal);
  const output = await outputOf(plugin, variables, limit);
  return parseCredential(output, plugin);
}

/** Reads what a plugin wrote. Throws KubeConfigError. */
export function parseCredential(output: string, plugin: ExecPlugin): ExecCredential {
  const answer = parseJson(output);
  const status = isJsonObject(answer) ? answer["status"] : undefined;
  if (
    !isJsonObject(answer) ||
    answer["kind"] !== "ExecCredential" ||
    answer["apiVersion"] !== plugin.apiVersion
  ) {
    throw new KubeConfigError(
      `exec plugin ${plugin.command} did not print an ExecCredential of version ${plugin.apiVersion}; run it by hand to see what it prints`,
    );
  }
  const token = isJsonObject(status) ? textOf(status["token"]) : undefined;
  const cert = isJsonObject(status) ? textOf(status["clientCertificateData"]) : undefined;
  const key = isJsonObject(status) ? textOf(status["clientKeyData"]) : undefined;
  const expires = Date.parse(
    (isJsonObject(status) ? textOf(status["expirationTimestamp"]) : undefined) ?? "",
  );
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw new KubeConfigError(
      `exec plugin ${plugin.command} printed neither a token nor a client certificate with its key`,
    );
  }
  return {
    ...(token === undefined ? {} : { token }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(Number.isNaN(expires) ? {} : { expiresAt: expires }),
  };
}

function outputOf(plugin: ExecPlugin, env: Environment, limit: Deadline): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(plugin.command, plugin.args, {
      env,
      stdio: ["ignore", "pipe", "inherit"],
      signal: limit.signal,
    });
    const output: Buffer[] = [];
    let room: number = kubernetesLimits.execOutput;
    child.stdout.on("data", (chunk: Buffer) => {
      output.push(chunk);
      room -= chunk.length;
      if (room < 0) {
        reject(failure(plugin, `stopped because it printed more than ${kubernetesLimits.execOutput} bytes`));
        child.stdout.destroy();
        child.kill("SIGKILL");
      }
    });
    child.on("error", (error) => reject(failure(plugin, reasonOf(error, limit))));
    child.on("close", (code) => {
      if (code === 0) {
        resolve(Buffer.concat(output).toString("utf8"));
      } else {
        reject(failure(plugin, `failed with exit code ${code ?? "none"}`));
      }
    });
  });
}

function reasonOf(error: Error, { expired }: Deadline): string {
  if (expired) {
    return `stopped because it took longer than ${timeLimitMs / 1000} seconds`;
  }
  const isMissing = "code" in error && error.code === "ENOENT";
  return isMissing ? "not found; install it, or correct exec.command in the kubeconfig" : messageOf(error);
}

function failure(plugin: ExecPlugin, what: string): KubeConfigError {
  const hint = plugin.installHint === "" ? "" : `\n${plugin.installHint}`;
  return new KubeConfigError(`exec plugin ${plugin.command}: ${what}${hint}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

function variableOf(value: JsonValue): readonly (readonly [string, string])[] {
  const name = isJsonObject(value) ? textOf(value["name"]) : undefined;
  return name === undefined || !isJsonObject(value) ? [] : [[name, textOf(value["value"]) ?? ""]];
}
