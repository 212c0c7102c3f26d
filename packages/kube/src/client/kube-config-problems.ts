import { isJsonArray, isJsonObject, type JsonObject } from "@weir/base";
import { filledText } from "./kube-config-file.ts";

const proxySchemes = ["http:", "https:", "socks5:"];
const interactiveModes = ["Never", "IfAvailable", "Always"];
const betaVersion = "client.authentication.k8s.io/v1beta1";

/** What is wrong with a cluster's entry, as sentences without its name. */
export function problemsOfCluster(cluster: JsonObject): readonly string[] {
  const proxy = filledText(cluster, "proxy-url");
  const ca = filledText(cluster, "certificate-authority");
  const caData = filledText(cluster, "certificate-authority-data");
  const isUnchecked = cluster["insecure-skip-tls-verify"] === true;
  return [
    problem(filledText(cluster, "server") === undefined, "set server to the URL of the API server"),
    problem(
      proxy !== undefined && !proxySchemes.includes(URL.parse(proxy)?.protocol ?? ""),
      "proxy-url must be an http, https or socks5 URL",
    ),
    problem(ca !== undefined && caData !== undefined, both("certificate-authority")),
    problem(
      isUnchecked && (ca ?? caData) !== undefined,
      "insecure-skip-tls-verify and a certificate authority exclude each other; remove one of them",
    ),
  ].flat();
}

/** What is wrong with a user's entry, as sentences without its name. */
export function problemsOfUser(user: JsonObject): readonly string[] {
  const text = (field: string): string | undefined => filledText(user, field);
  const cert = text("client-certificate") ?? text("client-certificate-data");
  const token = text("token") ?? text("tokenFile");
  const isNobody = text("as") === undefined;
  return [
    problem(
      token !== undefined && (text("username") ?? text("password")) !== undefined,
      "has a token and a password; remove one of them",
    ),
    cert === undefined ? [] : problemsOfKeyPair(user),
    problem(
      isNobody &&
        (text("as-uid") !== undefined || isFilled(user["as-groups"]) || isFilled(user["as-user-extra"])),
      "as-uid, as-groups and as-user-extra need as, the user to impersonate",
    ),
    isJsonObject(user["exec"]) ? problemsOfPlugin(user["exec"]) : [],
    problem(
      isJsonObject(user["exec"]) && isJsonObject(user["auth-provider"]),
      "exec and auth-provider exclude each other; remove one of them",
    ),
  ].flat();
}

function problemsOfKeyPair(user: JsonObject): readonly string[] {
  const text = (field: string): string | undefined => filledText(user, field);
  const hasBoth = (field: string): boolean =>
    text(field) !== undefined && text(`${field}-data`) !== undefined;
  return [
    problem(hasBoth("client-certificate"), both("client-certificate")),
    problem(hasBoth("client-key"), both("client-key")),
    problem(
      (text("client-key") ?? text("client-key-data")) === undefined,
      "client-certificate needs a key; set client-key or client-key-data",
    ),
  ].flat();
}

function problemsOfPlugin(exec: JsonObject): readonly string[] {
  const version = filledText(exec, "apiVersion");
  const mode = filledText(exec, "interactiveMode") ?? (version === betaVersion ? "IfAvailable" : "");
  const variables = isJsonArray(exec["env"]) ? exec["env"] : [];
  return [
    problem(filledText(exec, "command") === undefined, "exec: set command to the plugin to run"),
    problem(version === undefined, "exec: set apiVersion, such as client.authentication.k8s.io/v1"),
    problem(
      !interactiveModes.includes(mode),
      `exec: set interactiveMode to one of ${interactiveModes.join(", ")}`,
    ),
    problem(
      variables.some((variable) => !isJsonObject(variable) || filledText(variable, "name") === undefined),
      "exec: each variable in env needs a name",
    ),
  ].flat();
}

function problem(isThere: boolean, message: string): readonly string[] {
  return isThere ? [message] : [];
}

function both(field: string): string {
  return `has both ${field} and ${field}-data; remove one of them`;
}

function isFilled(value: unknown): boolean {
  return isJsonArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}
