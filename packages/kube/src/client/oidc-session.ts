import { type Clock, type JsonObject, messageOf } from "@weir/base";
import { dataOrFile } from "./credential-file.ts";
import { isExpired } from "./id-token.ts";
import { filledText, KubeConfigError } from "./kube-config-file.ts";
import { type OidcClient, type OidcTokens, refreshTokens } from "./oidc-refresh.ts";

const nothingGood =
  "the ID token of the oidc provider has expired or is missing, and can't be renewed; log in again";

/**
 * The tokens of a kubeconfig's user with kubectl's oidc provider. What the issuer gives is kept here alone: the file
 * is not written.
 */
export class OidcSession {
  readonly #config: JsonObject;
  readonly #user: string;
  readonly #clock: Clock;
  #tokens: OidcTokens;

  /** `config` is the provider's, of the user of that name. */
  constructor(config: JsonObject, user: string, clock: Clock) {
    this.#config = config;
    this.#user = user;
    this.#clock = clock;
    this.#tokens = {
      idToken: filledText(config, "id-token"),
      refreshToken: filledText(config, "refresh-token"),
    };
  }

  /** An ID token that is good now. Rejects with KubeConfigError where there is none, which names the issuer. */
  async idToken(): Promise<string> {
    const { idToken } = this.#tokens;
    const isGood = idToken !== undefined && !isExpired(idToken, this.#clock.now());
    return isGood ? idToken : this.#renew();
  }

  async #renew(): Promise<string> {
    const { idToken: before, refreshToken } = this.#tokens;
    const issuer = filledText(this.#config, "idp-issuer-url");
    const clientId = filledText(this.#config, "client-id");
    if (
      before === undefined ||
      refreshToken === undefined ||
      issuer === undefined ||
      clientId === undefined
    ) {
      throw this.#failure(nothingGood);
    }
    const given = await this.#ask(issuer, clientId, refreshToken);
    // A refresh token may count once: the newest is kept, whatever came with it.
    this.#tokens = {
      idToken: given.idToken ?? before,
      refreshToken: given.refreshToken ?? refreshToken,
    };
    if (given.idToken === undefined) {
      throw this.#failure(nothingGood);
    }
    return given.idToken;
  }

  async #ask(issuer: string, clientId: string, refreshToken: string): Promise<OidcTokens> {
    const url = URL.parse(issuer);
    if (url === null) {
      throw this.#failure("the idp-issuer-url of the oidc provider must be a URL");
    }
    const clientSecret = filledText(this.#config, "client-secret");
    const ca = await dataOrFile(this.#config, "idp-certificate-authority");
    const client: OidcClient = { issuer: url, clientId, clientSecret, ca };
    return refreshTokens(client, refreshToken, this.#clock.now()).catch((error: unknown) => {
      throw this.#failure(`the issuer ${url.origin} didn't renew the ID token: ${messageOf(error)}`, error);
    });
  }

  #failure(what: string, cause?: unknown): KubeConfigError {
    return new KubeConfigError(`user "${this.#user}": ${what}`, { cause });
  }
}
