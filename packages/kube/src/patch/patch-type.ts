/** The content types of patches that an API server accepts. */
export const strategicMergePatchType = "application/strategic-merge-patch+json";
export const jsonMergePatchType = "application/merge-patch+json";
export const jsonPatchType = "application/json-patch+json";
/** Server-side apply: the body is the field manager's intent, not a difference. */
export const applyPatchType = "application/apply-patch+yaml";
