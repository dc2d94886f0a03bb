import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { accountInfo, logoutAll } from "@fava/wire/endpoints/account.ts";
import { ageInfo } from "@fava/wire/endpoints/age.ts";
import { mailInfo } from "@fava/wire/endpoints/mail.ts";
import { cameraKeptMs } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { Download, FileArchive, Laptop, LogOut, Smartphone, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { setCameraKept, wantsCameraKept } from "#features/call/room/kept-camera.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { setOffersShow, useOffersShow } from "#lib/covered-lines.ts";
import { type DataExport, useDataExport } from "#lib/data-export.ts";
import { formatDate, formatTime } from "#lib/format-date.ts";
import { formatPercent, formatSize } from "#lib/format-units.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { RichText } from "#lib/rich-text.tsx";
import { endSession, signOut, useUser } from "#lib/session.ts";
import { hasBrowserTranslator, type TranslatingBrowser } from "#lib/translation/browser-translator.ts";
import { serverTranslator } from "#lib/translation/server-translator.ts";
import { canTranslate, setTranslating, useIsTranslating } from "#lib/translation/translation-setting.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { showToast } from "#ui/toast-store.ts";
import styles from "./Account.module.css";
import { DeletionFacts } from "./DeletionFacts.tsx";
import { MailPart } from "./MailPart.tsx";
import { NotificationsPart } from "./NotificationsPart.tsx";
import { PasskeysPart } from "./PasskeysPart.tsx";

type AccountInfo = OutputOf<typeof accountInfo>;
export type SignInRow = AccountInfo["sessions"][number];

/** Account and data: sign-ins, a copy of the data, and deletion. */
export function AccountSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const user = useUser();
  const account = useEndpointQuery(accountInfo, user && { user_id: user.user_id });
  const close = () => closeOverlay("account");
  return (
    <Sheet
      widthPx={1040}
      fullScreen={isMobile}
      title={t("account.title")}
      onBack={isMobile ? close : undefined}
      closable={!isMobile}
      maskClosable
      onClose={close}
    >
      {user && (
        <div>
          <Part title={t("account.signIns")} text={t("account.signInsText")}>
            <Loaded account={account} show={(info) => <SignIns rows={info.sessions} user={user} />} />
          </Part>
          <Part title={t("passkeys.title")} text={t("passkeys.text", { provider: providerNames[user.accountType] })}>
            <PasskeysPart userId={user.user_id} />
          </Part>
          <Part title={t("account.camera")} text={t("account.cameraText")}>
            <CameraPart />
          </Part>
          <Part title={t("covered.setting")} text={t("covered.settingText")}>
            <CoversPart />
          </Part>
          {canTranslate() && (
            <Part title={t("translate.setting")} text={t("translate.settingText")}>
              <TranslationPart />
            </Part>
          )}
          <Part title={t("notify.title")} text={t("notify.text")}>
            <NotificationsPart userId={user.user_id} />
          </Part>
          <MailSection userId={user.user_id} />
          <AgePart userId={user.user_id} />
          <Part title={t("account.copy")} text={t("account.copyText")}>
            <DataExportPart userId={user.user_id} />
          </Part>
          <Part title={t("account.delete")} text={t("account.deleteText")}>
            <Loaded account={account} show={(info) => <DeletionFacts deletion={info.deletion} long />} />
            <p className={styles.small}>{t("account.kept")}</p>
            <Button
              kind="outline"
              size="small"
              pill
              className={styles.delete ?? ""}
              icon={<Trash2 size={17} aria-hidden="true" />}
              onClick={() => void openOverlay("delete-account")}
            >
              {t("account.deleteOpen")}
            </Button>
          </Part>
        </div>
      )}
    </Sheet>
  );
}

/** Whether the camera stays open for a moment after End. Off by default. */
function CameraPart(): ReactNode {
  const t = useT();
  const [on, setOn] = useState(wantsCameraKept);
  function change(wanted: boolean): void {
    setCameraKept(wanted);
    setOn(wanted);
  }
  return (
    <Switch checked={on} hint={t("account.keepCameraHint")} onChange={change}>
      {t("account.keepCamera", { count: formatNumber(cameraKeptMs / 1_000) })}
    </Switch>
  );
}

/** Whether hurtful lines and messages offer "Show". On by default. */
function CoversPart(): ReactNode {
  const t = useT();
  return (
    <Switch checked={useOffersShow()} hint={t("covered.settingHint")} onChange={setOffersShow}>
      {t("covered.settingShow")}
    </Switch>
  );
}

/** Whether lines and messages in other languages are translated. On by default. */
function TranslationPart(): ReactNode {
  const t = useT();
  const server = serverTranslator();
  const hints = [
    ...(hasBrowserTranslator(globalThis as TranslatingBrowser) ? [t("translate.settingHint")] : []),
    ...(server === null ? [] : [t("translate.settingServer", { name: isolate(server) })]),
  ];
  return (
    <Switch checked={useIsTranslating()} hint={hints.join(" ")} onChange={setTranslating}>
      {t("translate.settingOn")}
    </Switch>
  );
}

/** The user's mail address; nothing at a site without mails. */
function MailSection({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const { data: choice, refetch } = useEndpointQuery(mailInfo, { user_id: userId }, { refetchOnWindowFocus: true });
  if (!choice?.on) return null;
  return (
    <Part title={t("mail.title")} text={t("mail.text")}>
      <MailPart userId={userId} choice={choice} onChanged={async () => void (await refetch())} />
    </Part>
  );
}

/** The state of the age check, for users who need one or have passed one. */
function AgePart({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const { data: info } = useEndpointQuery(ageInfo, { user_id: userId }, { refetchOnWindowFocus: true });
  if (!info || (!info.required && info.state === "none")) return null;
  const state = info.state === "none" ? "needed" : info.state;
  return (
    <Part title={t("ageCheck.title")} text={t("ageCheck.accountText")}>
      <p>{t(`ageCheck.state.${state}`)}</p>
      {info.required && (
        <Button kind="outline" size="small" pill onClick={() => void openOverlay("age-check")}>
          {t("ageCheck.show")}
        </Button>
      )}
    </Part>
  );
}

function Part(props: { title: string; text: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h3 id={id}>{props.title}</h3>
        <p>{props.text}</p>
      </div>
      <div>{props.children}</div>
    </section>
  );
}

function Loaded(props: { account: UseQueryResult<AccountInfo>; show: (info: AccountInfo) => ReactNode }): ReactNode {
  const t = useT();
  const { data, isPending, refetch } = props.account;
  if (data) return props.show(data);
  return isPending ? <Skeleton height="140px" /> : <LoadFailure text={t("account.loadFailed")} onRetry={refetch} />;
}

const parts = ["profile", "messages", "relations", "beans", "reports", "signIns"] as const;

/** A copy of the user's data: none, being prepared, ready, or failed. */
function DataExportPart({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const { copy, error, look, beginning, begin } = useDataExport(userId);
  return (
    <>
      <ul className={styles.contents}>
        {parts.map((part) => (
          <li key={part}>
            <Chip small>{t(`account.part.${part}`)}</Chip>
          </li>
        ))}
      </ul>
      {copy ? (
        <div className={styles.copy}>
          <i aria-hidden="true">{copy.state === "ready" ? <Download size={20} /> : <FileArchive size={20} />}</i>
          <p role="status">
            <b>
              <bdi>{copy.state === "ready" ? copy.name : titleOf(t, copy.state)}</bdi>
            </b>
            <small>{copyText(t, copy)}</small>
          </p>
          {copy.state === "preparing" && <progress max={100} value={copy.percent} aria-label={t("account.copy")} />}
          {copy.state === "ready" && (
            <a className={buttonClass({ kind: "ink", size: "small", pill: true })} href={copy.url} download={copy.name}>
              {t("account.download")}
            </a>
          )}
          {(copy.state === "none" || copy.state === "failed") && (
            <Button kind="ink" size="small" pill loading={beginning} onClick={begin}>
              {t(copy.state === "none" ? "account.copyBegin" : "common.retry")}
            </Button>
          )}
        </div>
      ) : error ? (
        <LoadFailure text={t("account.loadFailed")} onRetry={look} />
      ) : (
        <Skeleton height="60px" />
      )}
      {copy && error && (
        <Note tone="danger" role="alert">
          {t(error.code === codes.slowDown ? "account.copyOften" : "account.failed")}
        </Note>
      )}
    </>
  );
}

function titleOf(t: Translate, state: "none" | "preparing" | "failed"): string {
  return t(state === "failed" ? "account.copyFailed" : state === "none" ? "account.copyNone" : "account.copy");
}

function copyText(t: Translate, copy: DataExport): string {
  switch (copy.state) {
    case "none":
      return t("account.copyNoneText");
    case "preparing":
      return t("account.copyPreparing", { percent: formatPercent(copy.percent) });
    case "ready":
      return t("account.copyReady", { size: formatSize(copy.size_bytes), day: formatDate(copy.until) });
    case "failed":
      return t("account.copyFailedText");
  }
}

/** Brand names are the same in every language. */
const providerNames = { 1: "Google", 2: "Facebook", 3: "Apple" } as const;

/** The sign-ins of the account: the current one first, ended ones with the reason. */
function SignIns({ rows, user }: { rows: readonly SignInRow[]; user: OwnUser }): ReactNode {
  const t = useT();
  const [all, setAll] = useState(false);
  const ordered = orderedSignIns(rows);
  const { shown, hidden } = all ? { shown: ordered, hidden: 0 } : firstSignIns(ordered);
  return (
    <>
      <ul className={styles.rows}>
        {shown.map((row) => (
          <SignInLine key={`${row.at} ${row.current}`} row={row} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button size="small" className={styles.more ?? ""} onClick={() => setAll(true)}>
          {t("account.earlier", { count: hidden })}
        </Button>
      )}
      <p className={styles.small}>
        <RichText
          id="account.notYou"
          values={{ provider: providerNames[user.accountType] }}
          tags={{
            all: (text) => (
              <button type="button" className={styles.link} onClick={() => void signOutEverywhere(user.user_id, t)}>
                {text}
              </button>
            ),
          }}
        />
      </p>
    </>
  );
}

function SignInLine({ row }: { row: SignInRow }): ReactNode {
  const t = useT();
  const Icon = row.source === 1 ? Laptop : Smartphone;
  return (
    <li>
      <i aria-hidden="true">
        <Icon size={20} />
      </i>
      <p>
        <b>
          {deviceOf(t, row)}
          {row.current === 1 && (
            <Chip small tone="brand">
              {t("account.current")}
            </Chip>
          )}
        </b>
        <small>{whenOf(t, row)}</small>
      </p>
      {row.current === 1 && (
        <Button
          kind="outline"
          size="small"
          pill
          icon={<LogOut size={17} className="flip" aria-hidden="true" />}
          onClick={() => void signOut()}
        >
          {t("menu.signOut")}
        </Button>
      )}
    </li>
  );
}

function deviceOf(t: Translate, { source, browser, system }: SignInRow): string {
  const device = t(source === 1 ? "account.computer" : "account.phone");
  if (browser !== "" && system !== "") return t("account.on", { device, browser, system });
  if (browser === "" && system === "") return t("account.onUnknown", { device });
  return t("account.onOne", { device, name: browser === "" ? system : browser });
}

function whenOf(t: Translate, row: SignInRow): string {
  const { country_name: country } = row;
  const time = formatTime(row.at);
  if (row.ended_at === null) {
    const provider = providerNames[row.login_type];
    return country === "" ? t("account.atNowhere", { time, provider }) : t("account.at", { country, time, provider });
  }
  const why = t(`account.end.${row.end_reason ?? "unknown"}`);
  return country === "" ? t("account.endedNowhere", { time, why }) : t("account.ended", { country, time, why });
}

/** Shows its success only after the response, because by then the sessions have really ended. */
async function signOutEverywhere(userId: number, t: Translate): Promise<void> {
  try {
    await request(logoutAll, { user_id: userId });
    endSession("signed_out");
    showToast({ type: "success", text: t("account.allOut") });
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

/** Ended sign-ins shown at first. */
const endedShownFirst = 4;

/** The current sign-in first, then the others, newest first. */
export function orderedSignIns(rows: readonly SignInRow[]): readonly SignInRow[] {
  return rows.toSorted((one, other) => other.current - one.current || other.at - one.at);
}

/** The rows that are shown at first, and how many a button reveals; a single row needs no button. */
export function firstSignIns(rows: readonly SignInRow[]): { shown: readonly SignInRow[]; hidden: number } {
  const shown = 1 + endedShownFirst;
  return rows.length <= shown + 1
    ? { shown: rows, hidden: 0 }
    : { shown: rows.slice(0, shown), hidden: rows.length - shown };
}
