import { messageOf } from "@weir/base";
import { type AnyFlag, duration, map, text } from "@weir/cli";
import type { Terminal } from "../terminal.ts";

/** The default URL if only a token is given. */
export const cloudUrl = "https://cloud.weave.works/api/flux";

/** Declares the flags of every command. */
export function declareGlobalFlags() {
  return {
    context: text("context", {
      usage: "The kubeconfig context to use, will use your current selected if not specified",
    }),
    forwardNamespace: text("k8s-fwd-ns", {
      default: "default",
      usage:
        "Namespace in which fluxd is running, for creating a port forward to access the API. No port forward will be created if a URL or token is given. You can also set the environment variable FLUX_FORWARD_NAMESPACE",
    }),
    forwardLabels: map("k8s-fwd-labels", {
      default: new Map([["app", "flux"]]),
      usage:
        "Labels used to select the fluxd pod a port forward should be created for. You can also set the environment variable FLUX_FORWARD_LABELS",
    }),
    url: text("url", {
      usage: `Base URL of the Flux API (defaults to "${cloudUrl}" if a token is provided); you can also set the environment variable FLUX_URL`,
      shorthand: "u",
    }),
    token: text("token", {
      usage:
        "Weave Cloud authentication token; you can also set the environment variable WEAVE_CLOUD_TOKEN or FLUX_SERVICE_TOKEN",
      shorthand: "t",
    }),
    timeout: duration("timeout", {
      default: 60_000,
      usage: "Global command timeout; you can also set the environment variable FLUX_TIMEOUT",
    }),
  };
}

/** The global flags of one command line. */
export type GlobalFlags = ReturnType<typeof declareGlobalFlags>;

/**
 * Sets flags that weren't given from the environment. As Flux v1, if two variables set the same flag, the
 * last one counts, and an invalid value is ignored; but Weir prints a warning.
 */
export function fillFromEnvironment(flags: GlobalFlags, { env, err }: Terminal): void {
  const variables: readonly (readonly [flag: AnyFlag, ...names: string[]])[] = [
    [flags.forwardNamespace, "FLUX_FORWARD_NAMESPACE"],
    [flags.forwardLabels, "FLUX_FORWARD_LABELS"],
    [flags.token, "FLUX_SERVICE_TOKEN", "WEAVE_CLOUD_TOKEN"],
    [flags.url, "FLUX_URL"],
    [flags.timeout, "FLUX_TIMEOUT"],
  ];
  for (const [flag, ...names] of variables.filter(([each]) => !each.isSet)) {
    for (const name of names) {
      setFrom(flag, name, env[name] ?? "", err);
    }
  }
}

function setFrom(flag: AnyFlag, variable: string, value: string, err: Terminal["err"]): void {
  if (value === "") {
    return;
  }
  try {
    flag.set(value);
  } catch (error) {
    err(`Warning: ignoring the environment variable ${variable}: ${messageOf(error)}\n`);
  }
}
