import { bool, type Flag } from "@weir/cli";
import type { CommandContext } from "../command.ts";

/** Declares the flag for all namespaces, with Flux's shorthand and kubectl's. */
export function declareAllNamespaces(): Flag<boolean> {
  return bool("all-namespaces", {
    usage: "Query across all namespaces (also -A)",
    shorthand: "a",
    otherShorthand: "A",
  });
}

/** The default namespace: that of the kubeconfig's context, or else "default". */
export async function namespaceOr(
  given: string,
  { env, globals }: Pick<CommandContext, "env" | "globals">,
): Promise<string> {
  if (given !== "") {
    return given;
  }
  const { namespaceOfContext } = await import("./kube-config-namespace.ts");
  return (await namespaceOfContext(env, globals.context.value)) ?? "default";
}
