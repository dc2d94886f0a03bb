import type { ReactNode } from "react";
import { Logo } from "#ui/Logo.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import styles from "./WaitingFrame.module.css";

/** The placeholder of a protected page, until the role is known and the page is loaded. */
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
