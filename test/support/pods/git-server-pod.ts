import { type PodsKubectl, until } from "@weir/testing";
import { TestRepository } from "../repository.ts";
import { gitServerImage } from "./images.ts";
import { makeKeyPair } from "./key-pair.ts";

/** A git server to start. */
export interface GitServerOptions {
  readonly namespace: string;
  /** What its first commit holds. */
  readonly files: Readonly<Record<string, string>>;
  /** Of its Service and Deployment; "gitsrv" unless told otherwise. */
  readonly name?: string;
  /** Public keys that it lets in from the beginning. */
  readonly authorizedKeys?: readonly string[];
}

const secretsFolder = "/etc/git-server";

const sshdConfig = `
HostKey ${secretsFolder}/host_key
AuthorizedKeysFile ${secretsFolder}/authorized_keys
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
UsePAM no
`;

/** sshd in a pod behind a Service, with one repository; the test commits to it from outside. */
export class GitServerPod implements AsyncDisposable {
  /** What is in the repository, and what is pushed to it. */
  readonly repository: TestRepository;
  /** What clients in the cluster call the repository, in whatever namespace. */
  readonly url: string;
  /** A line for their known_hosts. */
  readonly knownHosts: string;
  readonly #kubectl: PodsKubectl;
  readonly #namespace: string;
  readonly #name: string;
  readonly #keys: string[];

  private constructor(kubectl: PodsKubectl, options: GitServerOptions, made: Made) {
    this.#kubectl = kubectl;
    this.#namespace = options.namespace;
    this.#name = options.name ?? "gitsrv";
    this.#keys = [...(options.authorizedKeys ?? [])];
    this.repository = made.repository;
    this.url = `ssh://git@${this.#name}.${options.namespace}/~/config.git`;
    const [kind = "", key = ""] = made.publicKey.split(" ");
    this.knownHosts = `${this.#name},${this.#name}.${options.namespace} ${kind} ${key}\n`;
  }

  /** Starts one in a namespace, which is made where it is missing; resolves when it takes connections. */
  static async start(kubectl: PodsKubectl, options: GitServerOptions): Promise<GitServerPod> {
    const { namespace } = options;
    const repository = await TestRepository.create(options.files);
    try {
      const { privateKey, publicKey } = await makeKeyPair();
      const server = new GitServerPod(kubectl, options, { repository, publicKey });
      await kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }]);
      await kubectl.apply(server.#manifests(privateKey));
      await kubectl.rolledOut({ namespace, name: `deployment/${server.#name}` });
      return server;
    } catch (error) {
      await repository[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Lets the owner of a key read and write; resolves when the server knows it. */
  async authorize(publicKey: string): Promise<void> {
    this.#keys.push(publicKey.trim());
    await this.#storeKeys();
  }

  /** Lets in the owner of this key, and nobody else; resolves when the server knows it. */
  async authorizeOnly(publicKey: string): Promise<void> {
    this.#keys.splice(0, Infinity, publicKey.trim());
    await this.#storeKeys();
  }

  async #storeKeys(): Promise<void> {
    const patch = JSON.stringify({ stringData: { authorized_keys: lines(this.#keys) } });
    const secret = ["secret", this.#name, "-n", this.#namespace];
    await this.#kubectl.must(["patch", ...secret, "--type=merge", "-p", patch]);
    const file = `${secretsFolder}/authorized_keys`;
    const exec = ["exec", "-n", this.#namespace, `deployment/${this.#name}`, "--", "cat", file];
    await until(
      "the git server to know the keys",
      async () => (await this.#kubectl.must(exec)) === lines(this.#keys),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.repository[Symbol.asyncDispose]();
  }

  #manifests(hostKey: string): readonly object[] {
    const metadata = { name: this.#name, namespace: this.#namespace };
    const labels = { name: this.#name };
    const container = {
      name: "sshd",
      image: gitServerImage,
      readinessProbe: { tcpSocket: { port: 22 } },
      volumeMounts: [
        { name: "secrets", mountPath: secretsFolder },
        { name: "repository", mountPath: "/git/config.git" },
      ],
    };
    const volumes = [
      { name: "secrets", secret: { secretName: this.#name, defaultMode: 0o400 } },
      { name: "repository", hostPath: { path: this.repository.bare } },
    ];
    const secrets = { host_key: hostKey, sshd_config: sshdConfig, authorized_keys: lines(this.#keys) };
    return [
      { apiVersion: "v1", kind: "Secret", metadata, stringData: secrets },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container], volumes } },
        },
      },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata,
        spec: { selector: labels, ports: [{ port: 22 }] },
      },
    ];
  }
}

function lines(keys: readonly string[]): string {
  return keys.map((key) => `${key}\n`).join("");
}

interface Made {
  readonly repository: TestRepository;
  readonly publicKey: string;
}
