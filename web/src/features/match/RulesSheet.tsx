import { FileLock2, ScanEye, ScreenShareOff, Shirt } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Points } from "#ui/Points.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { noteRulesRead } from "./safety-rules.ts";
import styles from "./RulesSheet.module.css";

/**
 * The safety rules, closed only by Got it, which is valid for a while; if ticked, they are never shown again (rule
 * HOME-8).
 */
export function RulesSheet(): ReactNode {
  const t = useT();
  const [never, setNever] = useState(false);
  function accept(): void {
    noteRulesRead(Date.now(), { never });
    closeOverlay("rules", "done");
  }
  return (
    <Sheet
      widthPx={560}
      closable={false}
      title={t("rules.title")}
      foot={
        <>
          <span className={styles.never}>
            <Checkbox checked={never} onChange={setNever}>
              {t("rules.never")}
            </Checkbox>
          </span>
          <Button kind="go" onClick={accept}>
            {t("rules.ok")}
          </Button>
        </>
      }
    >
      <Points
        items={[
          { icon: <b className={styles.age}>18</b>, head: t("rules.adults"), text: t("rules.adultsText") },
          { icon: <Shirt size={22} />, head: t("rules.1"), text: t("rules.1t") },
          { icon: <ScreenShareOff size={22} />, head: t("rules.3"), text: t("rules.3t") },
          { icon: <ScanEye size={22} />, head: t("rules.2"), text: t("rules.2t") },
          { icon: <FileLock2 size={22} />, head: t("rules.evidence"), text: t("rules.evidenceText") },
        ]}
      />
      <a className={styles.link} href="/communityRules" target="_blank" rel="noopener">
        {t("rules.all")} <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
      </a>
    </Sheet>
  );
}
