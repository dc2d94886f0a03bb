import { CircleSlash, MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { banReasonIds } from "@fava/wire/reasons.ts";
import { formatMoment, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { acknowledgeEnd, useSession } from "#lib/session.ts";
import { useSettings } from "#lib/settings.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./SessionEndSheets.module.css";

/** "Your account has been logged in elsewhere": one OK, and nothing personal left behind it (rule ERR-9). */
export function KickedSheet(): ReactNode {
  const t = useT();
  return (
    <Sheet
      widthPx={440}
      centre
      alert
      closable={false}
      art={<Art icon={<MonitorSmartphone size={30} />} />}
      title={t("kick.title")}
      foot={
        <Button kind="go" onClick={() => endNotice("kicked")}>
          {t("common.ok")}
        </Button>
      }
    >
      <p className={styles.text}>{t("kick.text")}</p>
      <p className={styles.small}>{t("kick.notYou")}</p>
    </Sheet>
  );
}

/** The ban notice: who, why, until when, and how to appeal (rule BAN-2). */
export function BannedSheet(): ReactNode {
  const t = useT();
  const session = useSession();
  const email = useSettings()?.contact.email ?? "";
  if (session.status !== "banned") return null;
  const { notice } = session;
  return (
    <Sheet
      widthPx={460}
      alert
      closable={false}
      art={<Art icon={<CircleSlash size={30} />} />}
      title={t("ban.title")}
      lead={t("ban.lead")}
      foot={
        <Button kind="ink" onClick={() => endNotice("banned")}>
          {t("common.ok")}
        </Button>
      }
    >
      <dl className={styles.facts}>
        <Fact name={t("ban.account")} value={isolate(notice.id)} />
        <Fact name={t("ban.reason")} value={t(reasonKey(notice.reason_id))} />
        <Fact
          name={notice.time === null ? t("ban.forever") : t("ban.until")}
          value={notice.time === null ? "" : formatMoment(notice.time)}
        />
      </dl>
      <p className={styles.text}>{t("ban.appeal", { email: isolate(email) })}</p>
    </Sheet>
  );
}

function Fact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Art({ icon }: { icon: ReactNode }): ReactNode {
  return (
    <span className={styles.art} aria-hidden="true">
      {icon}
    </span>
  );
}

function endNotice(name: "kicked" | "banned"): void {
  closeOverlay(name, "done");
  acknowledgeEnd();
}

/** The reason's text, or "Incorrect content" for one that the list does not know (rule BAN-3). */
function reasonKey(reasonId: number): `ban.reason.${(typeof banReasonIds)[number]}` | "ban.reason.other" {
  const known = banReasonIds.find((id) => id === reasonId);
  return known === undefined ? "ban.reason.other" : `ban.reason.${known}`;
}
