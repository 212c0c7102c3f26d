import { invariant, isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { parse } from "yaml";

/** A Kubernetes object as YAML, indented like the surrounding test: kubeObject`kind: Pod …`. */
export function kubeObject(
  strings: TemplateStringsArray,
  ...values: readonly (string | number)[]
): KubeObject {
  const value: unknown = parse(dedent(String.raw({ raw: strings.raw }, ...values)));
  invariant(isKubeObject(value), "not a Kubernetes object");
  return value;
}

/** Text without the indentation of its first nonempty line, and without empty lines around it. */
export function dedent(text: string): string {
  const lines = text.split("\n");
  const indent = lines.find((line) => line.trim() !== "")?.match(/^ */)?.[0].length ?? 0;
  return `${lines
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join("\n")
    .trim()}\n`;
}

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && typeof value["kind"] === "string" && isJsonObject(value["metadata"]);
}
