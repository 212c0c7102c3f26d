import { type ControlPlane, startControlPlane } from "@weir/testing";

/** Starts a Kubernetes API server with these flags, calls a function with it, and stops it. */
export async function withControlPlane<Answer>(
  apiServerFlags: readonly string[],
  ask: (plane: ControlPlane) => Promise<Answer>,
): Promise<Answer> {
  const plane = await startControlPlane({ apiServerFlags });
  try {
    return await ask(plane);
  } finally {
    await plane.stop();
  }
}
