import { useEffect, useState, type ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useMediaQuery } from "#lib/use-media-query.ts";
import styles from "./Contents.module.css";

export interface ContentsEntry {
  id: string;
  text: string;
}

/** The parts of a page: beside the text and marking the part in view; on narrow screens a closed list above it. */
export function Contents({ entries, own }: { entries: readonly ContentsEntry[]; own: object }): ReactNode {
  const t = useT();
  const beside = useMediaQuery("(min-width: 961px)");
  const current = usePartInView(entries);
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <details key={String(beside)} open={beside}>
        <summary id="contents-title">{t("page.contents")}</summary>
        <ol>
          {entries.map((entry, index) => (
            <li key={entry.id}>
              <a
                href={`#${entry.id}`}
                aria-current={entry.id === current ? "location" : undefined}
                {...(index > 0 && own)}
              >
                {entry.text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

/** The last part whose heading has passed the upper third of the window. */
function usePartInView(entries: readonly ContentsEntry[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  useEffect(() => {
    const parts = entries.flatMap((entry) => document.querySelector(`#${CSS.escape(entry.id)}`) ?? []);
    const look = () => {
      const line = window.innerHeight / 3;
      const passed = parts.findLast((part) => part.getBoundingClientRect().top <= line);
      setCurrent((passed ?? parts[0])?.id);
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [entries]);
  return current;
}
