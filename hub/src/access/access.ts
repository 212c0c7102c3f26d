/** Who may do what in the console: put together for one console, over the database that all of them share. */
import type { Clock, Logger } from "@weir/base";
import type { Bus } from "../bus/bus.ts";
import type { Connection } from "../store/schema.ts";
import { Accounts } from "./accounts.ts";
import { Administration } from "./administration.ts";
import { AuditLog } from "./audit-log.ts";
import { ClientAddresses } from "./client-address.ts";
import { Endings } from "./endings.ts";
import { inviteFirstAdministrator } from "./first-administrator.ts";
import { FluxAuthorizer } from "./flux-authorizer.ts";
import { AccessGate } from "./gate.ts";
import { Invitations } from "./invitations.ts";
import { Limiter, type Limits, usualLimits } from "./limits.ts";
import { OpenIdLogin } from "./openid/openid-login.ts";
import type { OpenIdOptions } from "./openid/provider.ts";
import { type SessionLimits, Sessions, usualSessionLimits } from "./sessions.ts";
import { Tokens } from "./tokens.ts";

/** What access is put together from. */
export interface AccessOptions {
  readonly connection: Connection;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where people reach the console. Cookies are for TLS only if it's https. */
  readonly publicUrl: URL;
  /** Proxies whose X-Forwarded-For is believed: addresses, and ranges such as 10.0.0.0/8. */
  readonly trustedProxies: readonly string[];
  /** Whether people can log in with passwords. */
  readonly hasPasswords: boolean;
  /** An identity provider at which people can log in. */
  readonly openId?: OpenIdOptions;
  readonly limits?: Partial<Limits>;
  readonly sessionLimits?: Partial<Omit<SessionLimits, "confirmed">>;
}

/** Everything about who may do what. */
export class Access {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly publicUrl: URL;
  readonly hasPasswords: boolean;
  readonly gate: AccessGate;
  readonly audit: AuditLog;
  readonly limiter: Limiter;
  readonly endings: Endings;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly administration: Administration;
  readonly tokens: Tokens;
  /** For Flux's API. */
  readonly flux: FluxAuthorizer;
  /** Undefined without an identity provider. */
  readonly openId: OpenIdLogin | undefined;
  readonly #logger: Logger;

  /** Throws TrustedProxyError and OpenIdOptionsError. */
  constructor(options: AccessOptions) {
    const { connection, clock, logger, publicUrl, trustedProxies, hasPasswords } = options;
    const usual = { ...usualSessionLimits, ...options.sessionLimits };
    const sessionLimits = { ...usual, confirmed: options.openId?.confirmedFor ?? usual.absolute };
    this.connection = connection;
    this.clock = clock;
    this.publicUrl = publicUrl;
    this.hasPasswords = hasPasswords;
    this.#logger = logger;
    this.audit = new AuditLog(options);
    this.endings = new Endings(options);
    this.limiter = new Limiter({ connection, clock, limits: { ...usualLimits, ...options.limits } });
    this.sessions = new Sessions({ clock, endings: this.endings, limits: sessionLimits });
    const cookies = { isOverTls: publicUrl.protocol === "https:" };
    this.gate = new AccessGate({
      ...{ connection, clock, sessionLimits, limiter: this.limiter },
      addresses: new ClientAddresses(trustedProxies),
      cookies,
    });
    const { sessions, endings, limiter } = this;
    this.accounts = new Accounts({ connection, clock, sessions, limiter, hasPasswords });
    this.invitations = new Invitations({ connection, clock, sessions, limiter, hasPasswords });
    this.administration = new Administration({ connection, clock, endings, sessions });
    this.tokens = new Tokens({ connection, clock, endings });
    const { gate, audit: auditor } = this;
    const common = {
      connection,
      clock,
      logger,
      publicUrl,
      cookies,
      gate,
      limiter,
      sessions,
      endings,
      auditor,
    };
    this.openId = options.openId && new OpenIdLogin({ ...common, openId: options.openId });
    this.flux = new FluxAuthorizer({ connection, gate, limiter, auditor, endings, publicUrl });
  }

  /** Logs links for the first administrator, as long as there's none; never rejects. */
  async inviteFirstAdministrator(signal: AbortSignal): Promise<void> {
    const { invitations, clock, publicUrl } = this;
    await inviteFirstAdministrator({ invitations, clock, publicUrl, logger: this.#logger }, signal);
  }
}
