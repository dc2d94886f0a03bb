import type { UncheckedCause } from "@fava/wire/pushes.ts";
import { CameraOff } from "lucide-react";
import type { ReactNode } from "react";
import type { UncheckedEnd } from "#features/call/machine/call-state.ts";
import { useEndNotice } from "#features/call/machine/call-store.ts";
import { formatBeans, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./UncheckedSheet.module.css";

const causes: Readonly<Record<UncheckedEnd["whose"], Readonly<Record<UncheckedCause, Key>>>> = {
  own: {
    late: "shield.ownLate",
    none: "shield.ownNone",
    black: "shield.ownBlack",
    covered: "shield.ownCovered",
    nobody: "shield.ownNobody",
    still: "shield.ownStill",
    ours: "shield.ours",
  },
  other: {
    late: "shield.otherLate",
    none: "shield.otherNone",
    black: "shield.otherBlack",
    covered: "shield.otherCovered",
    nobody: "shield.otherNobody",
    still: "shield.otherStill",
    ours: "shield.ours",
  },
};

/** What the owner of the missing frames can do, for each cause; nothing about a camera whose frames were bright. */
const help: Readonly<Record<UncheckedCause, readonly Key[]>> = {
  late: ["shield.helpNetwork", "shield.helpPage"],
  none: ["shield.helpPage", "shield.helpNetwork"],
  black: ["shield.helpCamera", "shield.helpApps"],
  covered: ["shield.helpCamera", "shield.helpLight"],
  nobody: ["shield.helpCamera", "shield.helpLight"],
  still: ["shield.helpApps"],
  ours: [],
};

/**
 * After a call that ended for want of frames: the true cause for both sides, what helps, and the returned beans.
 */
export function UncheckedSheet(): ReactNode {
  const t = useT();
  const notice = useEndNotice("unchecked");
  if (!notice) return null;
  const { end } = notice;
  const name = isolate(notice.nickname);
  const isOther = end.whose === "other";
  const helps = isOther ? [] : help[end.cause];
  return (
    <Sheet
      widthPx={480}
      art={
        <IconTile round>
          <CameraOff size={28} />
        </IconTile>
      }
      title={isOther ? t("shield.uncheckedOther", { name }) : t("shield.unchecked")}
      lead={t(causes[end.whose][end.cause], { name })}
      onClose={() => closeOverlay("unchecked")}
      foot={
        <>
          <Button kind="quiet" onClick={() => closeOverlay("unchecked")}>
            {t("common.close")}
          </Button>
          <Button kind="go" onClick={() => closeOverlay("unchecked", "done")}>
            {t("shield.again")}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{t(isOther ? "shield.uncheckedOtherText" : "shield.uncheckedText")}</p>
        {end.returned > 0 && (
          <p className={styles.back}>
            <Bean size={20} />
            {t("shield.uncheckedBack", { n: end.returned, count: formatBeans(end.returned) })}
          </p>
        )}
        {helps.length > 0 && <p>{t("shield.uncheckedBefore")}</p>}
        {helps.length > 0 && (
          <ul>
            {helps.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  );
}
