import { Component, type ReactNode } from "react";
import { FailedScreen } from "./failed-screen.tsx";

interface Props {
  readonly path: string;
  readonly children: ReactNode;
}

interface State {
  readonly path: string;
  readonly error?: Error | undefined;
}

/**
 * Shows in place of a screen what went wrong while it was drawn, until another one is opened. Without it, nothing would be
 * left of the page.
 */
export class Boundary extends Component<Props, State> {
  override readonly state: State = { path: this.props.path };

  static getDerivedStateFromProps({ path }: Props, state: State): State | null {
    return path === state.path ? null : { path, error: undefined };
  }

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  /** So that the developer tools show where it was thrown. */
  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <FailedScreen error={error} retry={() => location.reload()} />
    );
  }
}
