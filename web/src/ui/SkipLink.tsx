import type { MouseEvent, ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "#ui/SkipLink.module.css";

/** The first stop of the Tab key: past the header, to what is the main content now. */
export function SkipLink(): ReactNode {
  const t = useT();
  return (
    // Without a script it leads to the page; the address stays as it is otherwise, since `/appeal` keeps its token there.
    <a className={styles.skip} href="#page" onClick={skip}>
      {t("common.skip")}
    </a>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  const main = [...document.querySelectorAll<HTMLElement>("main, [role=main]")].findLast(
    (one) => one.closest("[inert]") === null,
  );
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
}
