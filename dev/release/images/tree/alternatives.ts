import { type Entry, file, link } from "./entry.ts";

/** One of several programs of a kind, e.g. an awk. */
export interface Alternative {
  readonly name: string;
  /** The program that it is, for now the only one that is known. */
  readonly program: string;
  /** The higher, the better, if there are several. */
  readonly priority: number;
  /** Other names of the program, which come and go with it. */
  readonly otherNames?: readonly string[];
}

/** The links and the record that update-alternatives makes of it. */
export function alternative({ name, program, priority, otherNames = [] }: Alternative): readonly Entry[] {
  const names = [name, ...otherNames];
  const others = otherNames.flatMap((other) => [other, `/usr/bin/${other}`]);
  const programs = [program, priority, ...otherNames.map(() => program)];
  const record = ["auto", `/usr/bin/${name}`, ...others, "", ...programs, "", ""];
  return [
    ...names.flatMap((each) => [
      link(`usr/bin/${each}`, `/etc/alternatives/${each}`),
      link(`etc/alternatives/${each}`, program),
    ]),
    file(`var/lib/dpkg/alternatives/${name}`, record.join("\n")),
  ];
}
