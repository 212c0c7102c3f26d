import { join } from "node:path";
import { findProgram, type PodImage, type PodsKubectl } from "@weir/testing";

const script = `
set -e
rm -rf /tmp/pg
initdb --pgdata=/tmp/pg --username=weir --auth=trust --no-sync --encoding=UTF8 --locale=C.UTF-8
echo "host all all all trust" >>/tmp/pg/pg_hba.conf
exec postgres -D /tmp/pg -c listen_addresses='*' -c unix_socket_directories=/tmp -c fsync=off`;

/** An image of PostgreSQL: this machine's. It refuses to run as root. */
export const databaseImage: PodImage = {
  match: "*postgres:*",
  command: [findProgram("bash") ?? "bash", "-c", script],
  env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  user: 1000,
  mounts: { "/etc/passwd": join(import.meta.dirname, "passwd") },
};

/** Starts PostgreSQL in a namespace; resolves to the URL of a database when it takes connections. */
export async function startDatabase(kubectl: PodsKubectl, namespace: string): Promise<string> {
  const metadata = { name: "database", namespace };
  const labels = { name: "database" };
  const container = {
    name: "postgres",
    image: "docker.io/library/postgres:17",
    readinessProbe: { tcpSocket: { port: 5432 } },
  };
  await kubectl.apply([
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [container] },
        },
      },
    },
    { apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports: [{ port: 5432 }] } },
  ]);
  await kubectl.rolledOut({ namespace, name: "deployment/database" });
  return `postgresql://weir@database.${namespace}:5432/postgres`;
}
