import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { useMediaQuery } from "#lib/use-media-query.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { Flag } from "#ui/Flag.tsx";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { Portrait } from "#ui/Portrait.tsx";
import anaRoom from "#ui/portraits/ana-room.svg?raw";
import ana from "#ui/portraits/ana-wide.svg?raw";
import cat from "#ui/portraits/cat.svg?raw";
import theoRoom from "#ui/portraits/theo-room.svg?raw";
import theo from "#ui/portraits/theo.svg?raw";
import styles from "./Home.module.css";

const DrawnLoop = lazyWithTimeout(() => import("./DrawnLoop.tsx").then((part) => part.DrawnLoop));

/** Two drawn people talking: decoration for visitors, never photographs. */
export function DrawnStage(): ReactNode {
  const t = useT();
  const drawing = useRef<HTMLDivElement>(null);
  const [isComplete, setComplete] = useState(false);
  useEffect(() => whenIdle(() => setComplete(true)), []);
  return (
    <section className={styles.stage}>
      <div ref={drawing} className={styles.drawing} aria-hidden="true">
        <figure className={`${styles.tile} ${styles.remote}`}>
          <Portrait svg={anaRoom} />
          <Portrait svg={ana} />
          <figcaption>
            <Flag src="/flags/BR.svg" widthPx={21} />
            {t("home.sample.name")}
          </figcaption>
          {/* Not in the prerendered page, which fits into the first flight of a connection. */}
          {isComplete && <Portrait svg={cat} />}
        </figure>
        <figure className={`${styles.tile} ${styles.self}`}>
          <Portrait svg={theoRoom} />
          <Portrait svg={theo} />
          <figcaption>{t("home.sample.you")}</figcaption>
        </figure>
        <ul className={styles.bubbles}>
          <li>{t("home.sample.1")}</li>
          <li>{t("home.sample.2")}</li>
          <li>{t("home.sample.3")}</li>
        </ul>
      </div>
      {isComplete && <Motion drawing={drawing} />}
    </section>
  );
}

/** Moves the people, unless the user prefers less motion. */
function Motion({ drawing }: { drawing: RefObject<HTMLElement | null> }): ReactNode {
  if (useMediaQuery("(prefers-reduced-motion: reduce)")) return null;
  return (
    <PartBoundary>
      <Suspense fallback={null}>
        <DrawnLoop drawing={drawing} />
      </Suspense>
    </PartBoundary>
  );
}
