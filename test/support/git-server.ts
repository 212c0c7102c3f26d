/**
 * Real git servers for tests: git's own daemon, smart HTTP with a password, and sshd, each serving the bare
 * repositories of a folder on a free port of the loopback, for reading and writing.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  findProgram,
  freePort,
  type HttpServer,
  KeptProcess,
  lacks,
  serve,
  TempFolder,
  until,
} from "@weir/testing";

const run = promisify(execFile);

/** Serves the repositories of a folder. */
export interface GitServer extends AsyncDisposable {
  readonly port: number;
  /** The URL of the repository that is called so in the folder, e.g. "upstream.git". */
  url(name: string): string;
}

/** Why a test over ssh cannot run here, false where it can: for the `skip` option. */
export function missing(): string | false {
  return lacks("sshd") || lacks("ssh-keygen");
}

/** `git daemon`: anyone may read and write. */
export async function serveGitDaemon(root: string): Promise<GitServer> {
  const folder = new TempFolder();
  const port = await freePort();
  const options = ["--informative-errors", "--export-all", "--enable=receive-pack", `--base-path=${root}`];
  const address = ["--listen=127.0.0.1", `--port=${port}`, "--reuseaddr"];
  // Itself and not by way of `git daemon`, which would leave it behind when it is ended.
  const { stdout } = await run("git", ["--exec-path"]);
  const program = join(stdout.trim(), "git-daemon");
  const daemon = new KeptProcess(program, [...address, ...options, root], join(folder.path, "log"));
  await untilListening(port, daemon);
  return {
    port,
    url: (name) => `git://127.0.0.1:${port}/${name}`,
    async [Symbol.asyncDispose]() {
      await daemon.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** Who may use a server over HTTP. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Smart HTTP: git's own CGI program behind a web server that asks for a password. `answering` is waited for before
 * each request of who knows it is answered, so that git can be looked at meanwhile.
 */
export async function serveGitHttp(
  root: string,
  credentials: Credentials,
  answering: () => Promise<void> = () => Promise.resolve(),
): Promise<GitServer & { readonly server: HttpServer }> {
  const expected = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`;
  const server = await serve((request, response) => {
    if (request.headers.authorization === expected) {
      void answering().then(() => runCgi(root, request, response));
    } else {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end("who are you?\n");
    }
  });
  const { host, port } = new URL(server.url);
  const who = `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}`;
  return {
    server,
    port: Number(port),
    url: (name) => `http://${who}@${host}/${name}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** sshd for the user who runs the test, with keys of its own. */
export interface SshServer extends GitServer {
  /** "alias:path", as git takes it too. */
  scpUrl(name: string): string;
  /** A home folder whose git configuration makes ssh use the key and know the host. */
  readonly home: string;
}

/** Starts sshd; only where missing() is false. */
export async function serveGitSsh(root: string): Promise<SshServer> {
  const folder = new TempFolder();
  const port = await freePort();
  const { username } = userInfo();
  await makeKeys(folder.path);
  if (userInfo().uid === 0) {
    // Where root's sshd shuts its children in; Debian makes it when the service is started.
    await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  }
  const config = writeServerConfig(folder, port);
  writeClientConfig(folder, port, username);
  const sshd = new KeptProcess(
    findProgram("sshd") ?? "sshd",
    ["-D", "-e", "-f", config],
    join(folder.path, "log"),
  );
  await untilListening(port, sshd);
  return {
    port,
    home: folder.path,
    url: (name) => `ssh://${username}@127.0.0.1:${port}${root}/${name}`,
    scpUrl: (name) => `upstream-host:${root}/${name}`,
    async [Symbol.asyncDispose]() {
      await sshd.stop();
      folder[Symbol.dispose]();
    },
  };
}

async function makeKeys(folder: string): Promise<void> {
  for (const name of ["host", "identity"]) {
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(folder, name)]);
  }
}

function writeServerConfig(folder: TempFolder, port: number): string {
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${folder.path}/host`,
    `AuthorizedKeysFile ${folder.path}/identity.pub`,
    "AuthenticationMethods publickey",
    "PermitRootLogin yes",
    "StrictModes no",
    "UsePAM no",
    "PidFile none",
  ];
  return folder.write("sshd_config", `${lines.join("\n")}\n`);
}

function writeClientConfig(folder: TempFolder, port: number, username: string): void {
  const config = folder.write(
    "ssh_config",
    `Host upstream-host
  HostName 127.0.0.1
  Port ${port}
  User ${username}
Host *
  IdentityFile ${folder.path}/identity
  IdentitiesOnly yes
  UserKnownHostsFile ${folder.path}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking accept-new
  BatchMode yes
`,
  );
  folder.write(".gitconfig", `[core]\n\tsshCommand = ssh -F ${config}\n`);
}

async function untilListening(port: number, server: KeptProcess): Promise<void> {
  await until(`a server on port ${port}`, async () => {
    server.check();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
    return true;
  });
}

/** One request of RFC 3875's kind: the head in variables, the body through pipes. */
async function runCgi(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const cgi = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "tester",
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  cgi.stdin.on("error", () => undefined);
  response.on("close", () => cgi.kill());
  request.pipe(cgi.stdin);
  await answer(cgi.stdout, response);
}

async function answer(output: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  let head = Buffer.alloc(0);
  for await (const chunk of output) {
    if (response.headersSent) {
      response.write(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end >= 0) {
      writeHead(head.subarray(0, end).toString("latin1"), response);
      response.write(head.subarray(end + 4));
    }
  }
  response.end();
}

function writeHead(head: string, response: ServerResponse): void {
  let status = 200;
  for (const line of head.split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    if (name.toLowerCase() === "status") {
      status = Number.parseInt(value, 10);
    } else {
      response.setHeader(name, value);
    }
  }
  response.writeHead(status);
}
