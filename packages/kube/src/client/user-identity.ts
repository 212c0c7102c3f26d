import { isJsonObject, type JsonObject } from "@weir/base";
import {
  execIdentity,
  fixedIdentity,
  type Identity,
  oidcIdentity,
  type Surroundings,
  tokenFileIdentity,
} from "./identity.ts";
import { filledText, KubeConfigError } from "./kube-config-file.ts";

/**
 * How the user of a kubeconfig proves who it is, in the order of client-go: a token file before a token, both
 * before a plugin, a plugin before a password. Throws KubeConfigError.
 */
export function userIdentity(user: JsonObject, about: Surroundings): Identity {
  const tokenFile = filledText(user, "tokenFile");
  const token = filledText(user, "token");
  const { exec, "auth-provider": provider } = user;
  if (tokenFile !== undefined) {
    return tokenFileIdentity(tokenFile, about.clock);
  }
  if (token !== undefined) {
    return fixedIdentity({ authorization: `Bearer ${token}` });
  }
  if (isJsonObject(exec)) {
    return execIdentity(exec, about);
  }
  if (isJsonObject(provider)) {
    return providerIdentity(provider, about);
  }
  return fixedIdentity(passwordProof(user));
}

function providerIdentity(provider: JsonObject, about: Surroundings): Identity {
  const name = filledText(provider, "name") ?? "";
  if (name !== "oidc") {
    throw new KubeConfigError(
      `user ${about.user}: auth-provider "${name}" is not supported: use an exec plugin instead`,
    );
  }
  return oidcIdentity(provider, about.user, about.clock);
}

function passwordProof(user: JsonObject): { readonly authorization?: string } {
  const name = filledText(user, "username");
  if (name === undefined) {
    return {};
  }
  const pair = Buffer.from(`${name}:${filledText(user, "password") ?? ""}`).toString("base64");
  return { authorization: `Basic ${pair}` };
}
