import { Component, type ReactNode } from "react";
import { tellMissingPart } from "#lib/missing-part.ts";
import { ChunkLoadError } from "#ui/lazy-with-timeout.ts";

interface PartBoundaryProps {
  /** The part did not come; the person has been told. */
  onMissing?: () => void;
  /** What stands in its place then. */
  instead?: ReactNode;
  /** When it changes, the part is tried again. */
  attempt?: unknown;
  children: ReactNode;
}

interface PartBoundaryState {
  error: unknown;
  attempt: unknown;
}

/** Round a part of the page that the rest can do without, so that its failure to load takes nothing else away. */
export class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { error: null, attempt: this.props.attempt };

  static getDerivedStateFromError(error: unknown): Partial<PartBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ attempt }: PartBoundaryProps, before: PartBoundaryState): PartBoundaryState | null {
    return attempt === before.attempt ? null : { error: null, attempt };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof ChunkLoadError)) return;
    error.forget();
    tellMissingPart();
    this.props.onMissing?.();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // Anything but a missing part is a fault, which the whole page tells.
    if (!(error instanceof ChunkLoadError)) throw error;
    return this.props.instead ?? null;
  }
}
