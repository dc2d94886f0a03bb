import { GalleryVerticalEnd, Globe, Lock, type LucideIcon, Pointer, Settings2, VideoOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Key, useT } from "#lib/i18n.ts";
import { Select } from "#ui/Select.tsx";
import styles from "./DeviceTipsSheet.module.css";

const browsers = {
  computer: ["Chrome", "Edge", "Safari", "Firefox"],
  android: ["Chrome", "Samsung Internet", "Edge", "Firefox"],
  iphone: ["Safari", "Chrome", "Edge", "Firefox"],
} as const;
export type Device = keyof typeof browsers;
export type Browser = (typeof browsers)[Device][number];

interface Steps {
  texts: readonly Key[];
  /** The sign of the button in the address bar that the first step names; null if it names none. */
  button: LucideIcon | null;
}

/** How to allow the camera again, for the detected browser; the others of the device are in a list. */
export function DeniedSteps(): ReactNode {
  const t = useT();
  const { device, browser: detected } = browserOf(navigator.userAgent);
  const [browser, setBrowser] = useState<Browser>(detected);
  const { texts, button } = stepsFor(device, browser);
  return (
    <>
      <Select
        compact
        label={t("denied.browser")}
        icon={<Globe size={20} aria-hidden="true" />}
        value={browser}
        options={browsers[device].map((name) => ({ value: name, text: name }))}
        onChange={(name) => setBrowser(browsers[device].find((known) => known === name) ?? detected)}
      />
      <ol className={styles.steps}>
        {texts.map((text, index) => (
          <li key={text}>
            <div>
              {t(text, { browser })}
              {index === 0 && button && <AddressBar button={button} />}
            </div>
          </li>
        ))}
        <li>{t("denied.back")}</li>
      </ol>
    </>
  );
}

/** A drawn address bar with a hand on the button to press. */
function AddressBar({ button: Icon }: { button: LucideIcon }): ReactNode {
  return (
    <div className={styles.address} aria-hidden="true">
      <span>
        <Icon size={20} />
        <Pointer size={24} />
      </span>
    </div>
  );
}

/** The steps in one browser, before the last one: to come back. */
export function stepsFor(device: Device, browser: Browser): Steps {
  if (browser === "Safari")
    return device === "iphone"
      ? { texts: ["denied.icon", "denied.website", "denied.allow"], button: GalleryVerticalEnd }
      : { texts: ["denied.menu", "denied.allow"], button: null };
  // On an iPhone, only the system stores what other browsers may use.
  if (device === "iphone") return { texts: ["denied.settings", "denied.turnOn"], button: null };
  if (browser === "Firefox")
    return device === "android"
      ? { texts: ["denied.icon", "denied.turnOn"], button: Lock }
      : { texts: ["denied.crossed", "denied.unblock"], button: VideoOff };
  const button = browser === "Chrome" ? Settings2 : Lock;
  return device === "android"
    ? { texts: ["denied.icon", "denied.permissions", "denied.turnOn"], button }
    : { texts: ["denied.icon", "denied.turnOn"], button };
}

/** Tells devices and browsers apart by the user agent; good enough to choose instructions. */
export function browserOf(userAgent: string): { device: Device; browser: Browser } {
  const has = (words: RegExp) => words.test(userAgent);
  if (has(/iPhone|iPad|iPod/))
    return {
      device: "iphone",
      browser: has(/CriOS/) ? "Chrome" : has(/EdgiOS/) ? "Edge" : has(/FxiOS/) ? "Firefox" : "Safari",
    };
  const device = has(/Android/) ? "android" : "computer";
  if (has(/Firefox\//)) return { device, browser: "Firefox" };
  if (has(/EdgA?\//)) return { device, browser: "Edge" };
  if (has(/SamsungBrowser\//)) return { device, browser: "Samsung Internet" };
  const isSafari = device === "computer" && has(/Safari\//) && !has(/Chrom(e|ium)\//);
  return { device, browser: isSafari ? "Safari" : "Chrome" };
}
