import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { checkSource, decodeYaml, toKubeJson } from "@weir/yaml/go-yaml";

/** An object and the health that it should have; "" for a status that isn't given. */
export interface HealthCase {
  readonly name: string;
  readonly live: KubeObject;
  readonly status: string;
  readonly message: string;
}

/**
 * The cases in every health_test.yaml below a folder, as Argo CD has them: beside a health.lua, a list of objects, in
 * files or in place, with their health.
 */
export function readHealthCases(folder: string): readonly HealthCase[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("health_test.yaml"))
    .sort()
    .flatMap((file) => casesIn(folder, dirname(file)));
}

/** The object in a YAML file. */
export function readObject(file: string): KubeObject {
  return readYaml(file) as unknown as KubeObject;
}

/** The checkout of Argo CD that ARGO_DIR names; throws an error that says how to get one. */
export function argoFolder(): string {
  const folder = process.env["ARGO_DIR"];
  const isThere =
    folder !== undefined &&
    ["resource_customizations", "gitops-engine"].every((each) => existsSync(join(folder, each)));
  if (!isThere) {
    throw new Error(
      "set ARGO_DIR to a checkout of Argo CD: git clone --depth=1 https://github.com/argoproj/argo-cd",
    );
  }
  return folder;
}

function casesIn(folder: string, place: string): readonly HealthCase[] {
  const { tests } = readYaml(join(folder, place, "health_test.yaml"));
  return (isJsonArray(tests) ? tests : []).filter(isJsonObject).map((each, at) => {
    // Go reads names of fields in any case.
    const path = each["inputPath"] ?? each["inputpath"];
    const input = typeof path === "string" ? readYaml(join(folder, place, path)) : each["input"];
    const health = isJsonObject(each["healthStatus"]) ? each["healthStatus"] : {};
    return {
      name: `${place}: ${typeof path === "string" ? path : `case ${at + 1}`}`,
      live: input as unknown as KubeObject,
      status: textOf(health["status"]),
      message: textOf(health["message"]),
    };
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The first document that isn't empty. */
function readYaml(file: string): JsonObject {
  const values = Array.from(decodeYaml(checkSource(readFileSync(file, "utf8"))), ({ value }) =>
    toKubeJson(value),
  );
  const found = values.find(isJsonObject);
  if (found === undefined) {
    throw new Error(`${file} has no object`);
  }
  return found;
}
