import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { IsolatedScript, lacks, until } from "@weir/testing";

/** Stands in for the image of PostgreSQL, whose settings it reads: it runs the PostgreSQL of this machine. */
const startDatabase = `#!/bin/bash
set -e
PATH=$(dirname /usr/lib/postgresql/*/bin/postgres):/usr/local/bin:/usr/bin:/bin
data=/var/lib/postgresql/data
as="setpriv --reuid=999 --regid=999 --clear-groups"
if [ ! -s $data/PG_VERSION ]; then
  chown 999:999 $data
  install --owner=999 --mode=600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  $as initdb --pgdata=$data --username="$POSTGRES_USER" --auth=scram-sha-256 --pwfile=/tmp/password \\
    --encoding=UTF8 --locale=C.UTF-8 --no-sync
  echo "create database $POSTGRES_DB" | $as postgres --single -D $data postgres
  echo "host all all all scram-sha-256" >>$data/pg_hba.conf
fi
exec $as postgres -D $data -c listen_addresses='*' -c unix_socket_directories=/tmp -c fsync=off
`;

/** The folders with this machine's programs, which a container of the stand-in sees. */
const ofMachine = ["/usr", "/bin", "/lib", "/lib64", "/sbin"];

/** The folders of the stand-in. */
const ofDatabase = [...ofMachine, "/etc", "/tmp", "/var/lib/postgresql/data"];

const importDatabase = `
chmod -R a+rX ../database
chmod 1777 ../database/tmp
chmod 755 ../database/start
tar --create --directory=../database . |
  podman import --quiet --change='ENTRYPOINT ["/start"]' - docker.io/library/postgres:17`;

/** What compose is given besides the project's own file. */
const machinePrograms = `services:
  database:
    volumes: [${ofMachine.map((folder) => `"${folder}:${folder}:ro"`).join(", ")}]
`;

/** In scripts, `docker compose` is podman's, and nobody has to become root. */
const prelude = `
docker() { shift; podman-compose -f compose.yaml -f machine.yaml "$@"; }
sudo() { "$@"; }
`;

/** Has all that podman keeps for itself in memory, and does one job after the other, until its input ends. */
const isolated = `
cd "$(dirname "$0")"
ip link set lo up
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
mkfifo jobs
while read -r job; do
  (cd project && sh -ec "$(cat ../prelude.sh "../$job.sh")") </dev/null >"$job.out" 2>"$job.err"
  echo "$?" >"$job.written"
  mv "$job.written" "$job.code"
done <>jobs &
touch ready
cat >/dev/null`;

/** Why compose files can't be run here; false if they can. It needs root. */
export function lacksCompose(): string | false {
  return (
    (process.getuid?.() !== 0 && "needs root, to run containers") ||
    ["skopeo", "podman", "podman-compose", "runc", "netavark", "aardvark-dns", "iproute2", "PostgreSQL"]
      .map(lacks)
      .find(Boolean) ||
    false
  );
}

/**
 * A folder with a compose file that podman runs: with images, containers, and a network that nothing else on this machine
 * sees, and that end with it.
 */
export class ComposeProject implements AsyncDisposable {
  readonly #folder: string;
  readonly #script: IsolatedScript;
  #jobs = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#script = new IsolatedScript(folder);
  }

  /** Makes a project of a compose file, with an image in place of PostgreSQL's. */
  static async open(composeFile: string): Promise<ComposeProject> {
    const folder = await mkdtemp(join(tmpdir(), "weir-compose-"));
    const files = { ...filesOf(folder), "project/compose.yaml": await readFile(composeFile, "utf8") };
    for (const name of ["project", "database", ...ofDatabase.map((each) => join("database", each))]) {
      await mkdir(join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text);
    }
    const project = new ComposeProject(folder);
    try {
      await until("the project", () => {
        project.#check();
        return existsSync(join(folder, "ready"));
      });
      await project.run(importDatabase);
      return project;
    } catch (error) {
      await project[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Takes an image from a layout, and calls it by its name. */
  async pull(layout: string, name: string): Promise<void> {
    await this.run(`skopeo --insecure-policy copy --quiet oci:${layout} docker-archive:../image.tar:${name}
podman load --quiet --signature-policy=../policy.json --input=../image.tar
rm ../image.tar`);
  }

  /**
   * Runs a script in the folder; resolves to what it printed, and rejects with the end of what it complained of. One after
   * the other.
   */
  async run(script: string): Promise<string> {
    const job = join(this.#folder, `job-${(this.#jobs += 1)}`);
    await writeFile(`${job}.sh`, script);
    await writeFile(join(this.#folder, "jobs"), `${basename(job)}\n`);
    await until(
      "the script",
      () => {
        this.#check();
        return existsSync(`${job}.code`);
      },
      300,
    );
    const [code, printed, said] = await Promise.all(
      ["code", "out", "err"].map((kind) => readFile(`${job}.${kind}`, "utf8")),
    );
    if (code !== "0\n") {
      throw new Error(`${script}\nfailed: ${said?.slice(-3_000)}`);
    }
    return printed ?? "";
  }

  #check(): void {
    if (this.#script.ended) {
      throw new Error(`the project has ended: ${this.#script.tail("script")}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#script.stop();
  }
}

/** What a project's folder has besides the compose file. */
function filesOf(folder: string): Readonly<Record<string, string>> {
  return {
    "script.sh": isolated,
    "prelude.sh": `
export CONTAINERS_CONF=${folder}/containers.conf CONTAINERS_STORAGE_CONF=${folder}/storage.conf
${prelude}`,
    "containers.conf": `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
log_driver = "k8s-file"
[network]
network_config_dir = "${folder}/networks"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`,
    "storage.conf": `[storage]
driver = "overlay"
graphroot = "${folder}/storage"
runroot = "/run/containers/storage"
`,
    "policy.json": '{ "default": [{ "type": "insecureAcceptAnything" }] }\n',
    "project/machine.yaml": machinePrograms,
    "database/start": startDatabase,
    "database/etc/passwd": "root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n",
  };
}
