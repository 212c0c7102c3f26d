/** Set when the bundles are built. */
declare const WEIR_VERSION: string | undefined;

/** The version of Weir; "unversioned" if it runs from source. */
export const version = typeof WEIR_VERSION === "string" ? WEIR_VERSION : "unversioned";
