import { Component, type ReactNode } from "react";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import { ChunkLoadError } from "#ui/lazy-with-timeout.ts";

interface PartBoundaryProps {
  /** Called when the part failed to load; the user was then told already. */
  onMissing?: () => void;
  /** Shown instead of the part. */
  instead?: ReactNode;
  children: ReactNode;
}

interface PartBoundaryState {
  error: unknown;
}

/** Wraps a dispensable part of the page, so that its failure to load removes nothing else. */
export class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): PartBoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof ChunkLoadError)) return;
    error.forget();
    reportFailedChunk();
    this.props.onMissing?.();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // Any error but a missing part is a bug, which the page's error boundary shows.
    if (!(error instanceof ChunkLoadError)) throw error;
    return this.props.instead ?? null;
  }
}
