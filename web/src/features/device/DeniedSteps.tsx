import { type ReactNode, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { Select } from "#ui/Select.tsx";
import styles from "./DeviceTipsSheet.module.css";

const browsers = ["Chrome", "Edge", "Safari", "Firefox"] as const;
type Browser = (typeof browsers)[number];

/** How to allow the camera again, for the detected browser; the others are in a list. */
export function DeniedSteps(): ReactNode {
  const t = useT();
  const [browser, setBrowser] = useState(browserOf(navigator.userAgent));
  const family = browser === "Safari" ? "safari" : browser === "Firefox" ? "firefox" : "chrome";
  return (
    <>
      <Select
        label={t("denied.browser")}
        value={browser}
        options={browsers.map((name) => ({ value: name, text: name }))}
        onChange={(name) => setBrowser(browsers.find((known) => known === name) ?? "Chrome")}
      />
      <ol className={styles.steps}>
        <li>{t(`denied.${family}.1`)}</li>
        <li>{t(`denied.${family}.2`)}</li>
        <li>{t("denied.back")}</li>
      </ol>
    </>
  );
}

/** Tells browsers apart by the user agent; good enough to choose instructions. */
export function browserOf(userAgent: string): Browser {
  if (/Firefox\//.test(userAgent)) return "Firefox";
  if (/Edg\//.test(userAgent)) return "Edge";
  return /Safari\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent) ? "Safari" : "Chrome";
}
