import { Unplug, WifiOff } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useAnnounced } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { probeServer, useReachability } from "#lib/socket/connection.ts";
import { Banner } from "#ui/Banner.tsx";
import styles from "#ui/ConnectionBar.module.css";

/** Id of the bar, for controls that refer to it while they are disabled. */
export const connectionBarId = "reach";

/**
 * One line above everything while the server cannot be reached; never a dialog. The page and its layers start below it:
 * `--notice` on the root element is its height.
 */
export function ConnectionBar(): ReactNode {
  const t = useT();
  const reach = useReachability();
  const text = reach === "fine" ? "" : t(reach === "offline" ? "offline.text" : "offline.away");
  useAnnounced(text);
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
    // In the next frame, because moving observed elements in the same round makes the browser report a resize loop.
    const watch = new ResizeObserver(() => requestAnimationFrame(measure));
    if (line.current) watch.observe(line.current);
    return () => {
      watch.disconnect();
      style.removeProperty("--notice");
    };
  }, []);
  const tryNow = async () => {
    setTrying(true);
    await probeServer();
    setTrying(false);
  };
  return (
    <div ref={line} id={connectionBarId} className={styles.line}>
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
