import { type ControlPlane, startControlPlane } from "@weir/testing";

/** Asks a Kubernetes API server that was started with these flags, and ends it. */
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
