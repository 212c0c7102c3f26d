import { type Entry, file, link } from "./entry.ts";

/** One of several programs of a kind, e.g. an awk. */
export interface Alternative {
  readonly name: string;
  /** The program that it is, for now the only one that is known. */
  readonly program: string;
  /** The higher, the better, if there are several. */
  readonly priority: number;
}

/** The links and the record that update-alternatives makes of it. */
export function alternative({ name, program, priority }: Alternative): readonly Entry[] {
  const record = ["auto", `/usr/bin/${name}`, "", program, priority, "", ""];
  return [
    link(`usr/bin/${name}`, `/etc/alternatives/${name}`),
    link(`etc/alternatives/${name}`, program),
    file(`var/lib/dpkg/alternatives/${name}`, record.join("\n")),
  ];
}
