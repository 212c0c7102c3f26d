import { isJsonObject, type JsonObject } from "@weir/base";
import {
  execIdentity,
  fixedIdentity,
  type Identity,
  oidcIdentity,
  type Proof,
  type Surroundings,
  tokenFileIdentity,
} from "./identity.ts";
import { filledText, KubeConfigError } from "./kube-config-file.ts";

/**
 * How the user of a kubeconfig proves who it is, in client-go's order: a token file, a token, a password, a plugin, an
 * auth-provider. Throws KubeConfigError.
 */
export function userIdentity(user: JsonObject, about: Surroundings): Identity {
  const tokenFile = filledText(user, "tokenFile");
  const token = filledText(user, "token");
  const { exec, "auth-provider": provider } = user;
  if (tokenFile !== undefined) {
    return tokenFileIdentity(tokenFile, about.clock, token);
  }
  if (token !== undefined) {
    return fixedIdentity({ authorization: `Bearer ${token}` });
  }
  if (filledText(user, "username") !== undefined) {
    return fixedIdentity(passwordProof(user));
  }
  if (isJsonObject(exec)) {
    return execIdentity(exec, about);
  }
  if (isJsonObject(provider)) {
    return providerIdentity(provider, about);
  }
  return fixedIdentity({});
}

function providerIdentity(provider: JsonObject, about: Surroundings): Identity {
  const name = filledText(provider, "name") ?? "";
  if (name !== "oidc") {
    throw new KubeConfigError(
      `user "${about.user}": auth-provider "${name}" is not supported; use an exec plugin instead`,
    );
  }
  return oidcIdentity(provider, about.user, about.clock);
}

function passwordProof(user: JsonObject): Proof {
  const pair = `${filledText(user, "username") ?? ""}:${filledText(user, "password") ?? ""}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
