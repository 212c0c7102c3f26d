import type { LoadedFolder } from "./load-folder.ts";

/** The settings that limit what a comparison can tell. */
export interface NotedSettings {
  readonly quarantine: boolean;
  readonly prune: "on" | "off" | "dry-run";
}

/** What a comparison with this folder doesn't cover, in sentences. */
export function notesOn(
  { skipped, problems, complete }: Pick<LoadedFolder, "skipped" | "problems" | "complete">,
  { quarantine, prune }: NotedSettings,
): readonly string[] {
  return [
    ...(skipped.length === 0
      ? []
      : [
          `The commands in ${skipped.join(", ")} were not run, so what they print is not compared; --run-generators runs them on this machine, with your permissions.`,
        ]),
    ...(problems.length > 0 && !quarantine
      ? ["fluxd would apply nothing before all files can be loaded (it runs without --sync-quarantine)."]
      : []),
    ...(!complete && prune === "on"
      ? [
          "Deletions are not shown, because not all manifests are known; fluxd would not delete anything either.",
        ]
      : []),
    ...(prune === "on"
      ? []
      : ["fluxd would delete nothing, because it runs without --sync-garbage-collection."]),
  ];
}
