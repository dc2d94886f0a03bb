import type { ReactNode } from "react";
import { Logo } from "#ui/Logo.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import styles from "./WaitingFrame.module.css";

/** Stands where a page for the few will be, until it is known who asks and the page is there. */
export function WaitingFrame(): ReactNode {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Logo />
      </header>
      <main className={styles.main} aria-busy="true">
        <Skeleton height="48px" />
        <Skeleton height="320px" />
      </main>
    </div>
  );
}
