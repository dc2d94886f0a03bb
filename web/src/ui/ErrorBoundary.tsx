import { Component, type ReactNode } from "react";
import { t } from "#lib/i18n.ts";
import { finishHydration } from "#lib/shell.ts";
import { Button } from "#ui/Button.tsx";
import { ChunkLoadError } from "#ui/lazy-with-timeout.ts";
import { LogoMark } from "#ui/Logo.tsx";
import styles from "#ui/ErrorBoundary.module.css";

/** Shows that the page broke, and offers to reload it. Depends on no other part of the page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    // The shell keeps presses for a screen that will never be hydrated.
    finishHydration();
    console.error("rendering failed", error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const kind = error instanceof ChunkLoadError ? "chunk" : "crash";
    return (
      <main className={styles.page}>
        <LogoMark size={56} plain />
        <div role="alert">
          <h1>{t(`error.${kind}.title`)}</h1>
          <p>{t(`error.${kind}.text`)}</p>
        </div>
        <Button kind="ink" onClick={() => window.location.reload()}>
          {t("error.reload")}
        </Button>
      </main>
    );
  }
}
