import { Unplug, WifiOff } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useSaid } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { askForAnswer, useReach } from "#lib/socket/connection.ts";
import { Banner } from "#ui/Banner.tsx";
import styles from "#ui/ReachBar.module.css";

/** Names the bar for what says that it waits for Fava. */
export const reachBarId = "reach";

/**
 * One line over everything while Fava cannot be reached; never a dialog. The page and what lies over it begin below it:
 * `--notice` on the root element is its height.
 */
export function ReachBar(): ReactNode {
  const t = useT();
  const reach = useReach();
  const text = reach === "fine" ? "" : t(reach === "offline" ? "offline.text" : "offline.away");
  useSaid(text);
  return (
    reach !== "fine" && <Line icon={reach === "offline" ? <WifiOff size={18} /> : <Unplug size={18} />}>{text}</Line>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: string }): ReactNode {
  const t = useT();
  const line = useRef<HTMLDivElement>(null);
  const [trying, setTrying] = useState(false);
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--notice", `${line.current?.getBoundingClientRect().height ?? 0}px`);
    // What moves with it is watched as well: in the same round the browser would speak of a loop.
    const watch = new ResizeObserver(() => requestAnimationFrame(measure));
    if (line.current) watch.observe(line.current);
    return () => {
      watch.disconnect();
      style.removeProperty("--notice");
    };
  }, []);
  const tryNow = async () => {
    setTrying(true);
    await askForAnswer();
    setTrying(false);
  };
  return (
    <div ref={line} id={reachBarId} className={styles.line}>
      <Banner
        icon={icon}
        saidElsewhere
        action={
          <button type="button" aria-disabled={trying || undefined} onClick={() => void (trying || tryNow())}>
            {t("offline.now")}
          </button>
        }
      >
        {children}
      </Banner>
    </div>
  );
}
