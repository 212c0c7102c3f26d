/** How objects are applied server-side. */
export interface ServerSideSettings {
  /** The field manager; "kubectl" by default, so that kubectl and Weir can apply the same objects. */
  readonly fieldManager?: string;
  /**
   * True, the default: takes over fields that other managers own. False: such a conflict is an error, which names the
   * managers.
   */
  readonly forceConflicts?: boolean;
  /**
   * Managers that used to apply the same manifests client-side: the fields that they own become our field manager's,
   * so that those that were dropped from a manifest are removed. By default, the names that kubectl uses.
   */
  readonly migrateFrom?: readonly string[];
}

/** Same as kubectl apply --server-side --force-conflicts. */
export function serverSideSettings(settings: ServerSideSettings = {}): Required<ServerSideSettings> {
  return {
    fieldManager: "kubectl",
    forceConflicts: true,
    migrateFrom: ["kubectl-client-side-apply", "kubectl-replace", "kubectl"],
    ...settings,
  };
}
