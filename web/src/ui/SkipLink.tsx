import type { MouseEvent, ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "#ui/SkipLink.module.css";

/** The first Tab stop: skips the header, to the current main content. */
export function SkipLink(): ReactNode {
  const t = useT();
  return (
    // Without a script it leads to the page; otherwise the address must not change, because `/appeal` keeps its token
    // in it.
    <a className={styles.skip} href="#page" onClick={skip}>
      {t("common.skip")}
    </a>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  const main = [...document.querySelectorAll<HTMLElement>("main, [role=main]")].findLast(
    (one) => one.closest("[inert], [hidden]") === null,
  );
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
}
