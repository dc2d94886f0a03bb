import { useEffect, useState, type ReactNode } from "react";
import { loadingDelayMs } from "@fava/wire/limits.ts";
import styles from "#ui/Skeleton.module.css";

/** The placeholder of loading content; appears after 200 ms, so that quick responses do not flicker. */
export function Skeleton({ height = "1em", width = "100%" }: { height?: string; width?: string }): ReactNode {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), loadingDelayMs);
    return () => clearTimeout(timer);
  }, []);
  // By script and not as an attribute, which the content security policy would block in a prerendered page.
  const measure = (element: HTMLElement | null) => void (element && Object.assign(element.style, { height, width }));
  return <span ref={measure} className={late ? styles.skeleton : styles.early} aria-hidden="true" />;
}
