import type { CommandContext } from "./command.ts";

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
