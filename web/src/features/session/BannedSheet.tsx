import { ArrowRight, Clock, Copy, Download, Mail, Receipt, Scale, WalletCards } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import type { BanNotice } from "@fava/wire/codes.ts";
import { banReasonKey } from "@fava/wire/reasons.ts";
import { appealAddress } from "#features/appeal/appeal-link.ts";
import { sawText, statementFormat } from "#features/appeal/ban-statement.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { currentLanguage, type Key, type Translate, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { acknowledgeEnd, keepBan, useSession } from "#lib/session.ts";
import { useSettings } from "#lib/settings.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Logo } from "#ui/Logo.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { copyText } from "#ui/copy-text.ts";
import styles from "./SessionEndSheets.module.css";

const dayMs = 86_400_000;
/** What a banned user keeps; all of it is on the page of the appeal. */
const stillYours: readonly (readonly [Icon: typeof Receipt, name: Key, hint: Key])[] = [
  [WalletCards, "appeal.beans", "ban.stillBeans"],
  [Receipt, "appeal.refund", "ban.stillRefund"],
  [Download, "appeal.data", "ban.stillData"],
];
const noticeStyle = {
  "--pad": "max(20px, calc((100vw - 640px) / 2))",
  paddingBlock: "var(--s-4)",
  background: "var(--bg)",
} as CSSProperties;

/** The end of a session by a ban: a call that the frame checks ended, or the ban notice. */
export function BannedSheet(): ReactNode {
  const session = useSession();
  if (session.status !== "banned") return null;
  const { notice, source } = session;
  const isSuspension = notice.facts.by === "software" && notice.facts.is_provisional;
  if (source === "push-in-call" && isSuspension) return <EndedNotice notice={notice} />;
  return <Notice notice={notice} isSignInRefused={source === "request"} />;
}

/** "This call was ended": when, what was found, until when, who reviews it, and what is returned. */
function EndedNotice({ notice }: { notice: BanNotice }): ReactNode {
  const t = useT();
  const { facts } = notice;
  return (
    <Sheet
      widthPx={460}
      alert
      maskClosable
      closable={false}
      title={t("ended.title")}
      lead={
        <span className={styles.when}>
          <Clock size={16} aria-hidden="true" />
          <b>{formatTime(facts.at)}</b> {t("ended.yourTime")}
        </span>
      }
      onClose={end}
      row
      foot={
        <>
          <AppealLink notice={notice}>{t("ended.mistake")}</AppealLink>
          <Button kind="ink" onClick={end}>
            {t("ended.gotIt")}
          </Button>
        </>
      }
    >
      <p className={styles.text}>{sawText(t, statementFormat(currentLanguage()), facts)}</p>
      <dl className={styles.facts}>
        {facts.until !== null && (
          <Fact name={t("ended.until", { time: formatTime(facts.until) })}>{t("ended.untilText")}</Fact>
        )}
        <Fact name={t("ended.today")}>{t("ended.todayText")}</Fact>
        <Fact name={t("ended.wrong")}>{t("ended.wrongText")}</Fact>
      </dl>
    </Sheet>
  );
}

/** The ban notice: who, why, until when, who decided, what was found, and how to appeal. */
function Notice({ notice, isSignInRefused }: { notice: BanNotice; isSignInRefused: boolean }): ReactNode {
  const t = useT();
  const email = useSettings()?.contact.email ?? "";
  const { facts } = notice;
  const format = statementFormat(currentLanguage());
  return (
    <Sheet
      fullScreen
      alert
      closable={false}
      // A full page: one column in the centre, with nothing of the home screen beside it.
      style={noticeStyle}
      eyebrow={
        <span className={styles.logo}>
          <Logo />
        </span>
      }
      title={t(isSignInRefused ? "ban.title" : "ban.suspended")}
      lead={
        <>
          {isSignInRefused && <b className={styles.suspended}>{t("ban.suspended")}</b>}
          {t(facts.reports > 0 ? "ban.leadReported" : "ban.lead")}
        </>
      }
    >
      <div className={styles.until}>
        <small>{t(untilKey(notice))}</small>
        {notice.time !== null && <b>{format.moment(Date.parse(notice.time))}</b>}
        {facts.until !== null && <small>{inDays(t, facts.until)}</small>}
      </div>
      <dl className={styles.facts} data-open>
        <Fact name={t("ban.account")}>
          {isolate(notice.id)} <CopyNumber number={notice.id} />
        </Fact>
        <Fact name={t("ban.reason")}>{t(banReasonKey(notice.reason_id))}</Fact>
        <Fact name={t("ban.by")}>
          {facts.by === "software" ? t("ban.bySoftware") : t("ban.byPerson", { reports: facts.reports })}
        </Fact>
        <Fact name={t("ban.saw")}>{sawText(t, format, facts)}</Fact>
      </dl>
      <div className={styles.ways}>
        <AppealLink notice={notice} strong>
          <Scale size={20} aria-hidden="true" />
          {t("ban.appealGo")}
        </AppealLink>
        {email !== "" && (
          <a href={`mailto:${email}?subject=${notice.id}`} className={buttonClass({ size: "large" })}>
            <Mail size={18} aria-hidden="true" /> {t("ban.write")}
          </a>
        )}
        <Button size="large" onClick={end}>
          {t("common.ok")}
        </Button>
      </div>
      <p className={styles.hint}>{t("ban.appealHint")}</p>
      <BannedAccountRights notice={notice} />
    </Sheet>
  );
}

function BannedAccountRights({ notice }: { notice: BanNotice }): ReactNode {
  const t = useT();
  return (
    <section className={styles.still} aria-labelledby="banned-still">
      <h3 id="banned-still">{t("appeal.still")}</h3>
      <ul>
        {stillYours.map(([Icon, name, hint]) => (
          <li key={name}>
            <a href={appealAddress(notice.appeal_token)} onClick={read}>
              <Icon size={20} aria-hidden="true" />
              <span>
                <b>{t(name)}</b>
                <small>{t(hint)}</small>
              </span>
              <ArrowRight size={16} className="flip" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AppealLink(props: { notice: BanNotice; strong?: boolean; children: ReactNode }): ReactNode {
  const { notice, strong = false, children } = props;
  const look = strong ? ({ kind: "ink", size: "large" } as const) : ({ kind: "plain" } as const);
  return (
    <a className={buttonClass(look)} href={appealAddress(notice.appeal_token)} onClick={read}>
      {children}
    </a>
  );
}

function CopyNumber({ number }: { number: string }): ReactNode {
  const t = useT();
  return (
    <IconButton
      label={t("ban.copyAccount")}
      icon={<Copy size={16} aria-hidden="true" />}
      onClick={() => void copyText(t, number, "appeal.copied")}
    />
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function untilKey({ time, facts }: BanNotice): "ban.forever" | "ban.forNow" | "ban.until" {
  if (time === null) return "ban.forever";
  return facts.is_provisional ? "ban.forNow" : "ban.until";
}

function inDays(t: Translate, untilMs: number): string {
  return t("ban.inDays", { days: Math.max(0, Math.floor((untilMs - Date.now()) / dayMs)) });
}

/** Drops the stored notice of the ban, because the appeal page shows everything about it. */
function read(): void {
  keepBan(null);
}

function end(): void {
  closeOverlay("banned", "done");
  acknowledgeEnd();
}
