/** The key services of clouds, and of Vault and OpenBao. Each is loaded, and connects, when a file needs it. */
import { hostname } from "node:os";
import type { Clock, Environment } from "@weir/base";
import { createTransport, type HttpTransport, proxiesOf, type TransportOptions } from "@weir/http";
import type { KeyService } from "../key-service.ts";
import type { AzureKey, GcpKmsKey, KmsKey, MasterKey, VaultKey } from "../master-key.ts";
import type { KeyServiceContext } from "./context.ts";
import { KeyServiceError } from "./errors.ts";

/** What the key services are opened with. */
export interface CloudKeyServiceOptions {
  /** Where credentials and settings are looked for, under the names that the clouds' SDKs use. */
  readonly env: Environment;
  readonly clock: Clock;
  /** Opens connections; by default, to the network. */
  readonly createTransport?: (options: TransportOptions) => HttpTransport;
  readonly hostName?: string;
  readonly random?: () => number;
}

/** Key services that close their connections when they are disposed of. */
export interface CloudKeyService extends KeyService, AsyncDisposable {}

const connections = 4;

/**
 * Opens the key services for master keys of the types kms, gcp_kms, azure_kv, and hc_vault. `decrypt` rejects with
 * KeyServiceError if the key can't be used, and for other types.
 */
export function openCloudKeyService(options: CloudKeyServiceOptions): CloudKeyService {
  return new LazyKeyService(options);
}

interface Decrypts<K extends MasterKey> {
  decrypt(key: K, signal: AbortSignal): Promise<Uint8Array>;
}

class LazyKeyService implements CloudKeyService {
  readonly #options: CloudKeyServiceOptions;
  readonly #transports: HttpTransport[] = [];
  #context: KeyServiceContext | undefined;
  #kms: Promise<Decrypts<KmsKey>> | undefined;
  #gcpKms: Promise<Decrypts<GcpKmsKey>> | undefined;
  #azure: Promise<Decrypts<AzureKey>> | undefined;
  #vault: Promise<Decrypts<VaultKey>> | undefined;

  constructor(options: CloudKeyServiceOptions) {
    this.#options = options;
  }

  async decrypt(key: MasterKey, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const context = this.#opened();
    switch (key.type) {
      case "kms":
        this.#kms ??= import("./aws-kms.ts").then(({ AwsKms }) => new AwsKms(context));
        return (await this.#kms).decrypt(key, signal);
      case "gcp_kms":
        this.#gcpKms ??= import("./gcp-kms.ts").then(({ GcpKms }) => new GcpKms(context));
        return (await this.#gcpKms).decrypt(key, signal);
      case "azure_kv":
        this.#azure ??= import("./azure-key-vault.ts").then(
          ({ AzureKeyVault }) => new AzureKeyVault(context),
        );
        return (await this.#azure).decrypt(key, signal);
      case "hc_vault":
        this.#vault ??= import("./vault-transit.ts").then(({ VaultTransit }) => new VaultTransit(context));
        return (await this.#vault).decrypt(key, signal);
      case "pgp":
      case "age":
        throw new KeyServiceError(`keys of the type ${key.type} aren't kept by a cloud`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#transports.splice(0).map((transport) => transport.close()));
  }

  #opened(): KeyServiceContext {
    const { env, clock, hostName = hostname(), random } = this.#options;
    const create = this.#options.createTransport ?? createTransport;
    const open = (options: Partial<TransportOptions>): HttpTransport => {
      const transport = create({ connections, ...options });
      this.#transports.push(transport);
      return transport;
    };
    this.#context ??= {
      env,
      clock,
      hostName,
      random,
      open,
      transport: open({ proxies: proxiesOf(env) }),
      localTransport: open({ allowLinkLocal: true }),
    };
    return this.#context;
  }
}
