import { Laptop, LogOut, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { logoutAll } from "@fava/wire/endpoints/account.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { RichText } from "#lib/rich-text.tsx";
import { endSession, signOut } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";
import { firstSignIns, orderedSignIns } from "./sign-in-rows.ts";
import type { SignInRow } from "./use-account.ts";
import styles from "./Account.module.css";

/** The brands write themselves the same in every language. */
const providerNames = { 1: "Google", 2: "Facebook", 3: "Apple" } as const;

/** Where the account was signed in: this one first, ended ones as history with why (rule DATA-50). */
export function SignIns({ rows, user }: { rows: readonly SignInRow[]; user: OwnUser }): ReactNode {
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
          {row.current === 1 && <span className={styles.chip}>{t("account.current")}</span>}
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

/** Waits for the server: who is told to be signed out everywhere has to be (rule DATA-51). */
async function signOutEverywhere(userId: number, t: Translate): Promise<void> {
  try {
    await call(logoutAll, { user_id: userId });
    endSession("signed_out");
    showToast({ type: "success", text: t("account.allOut") });
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
  }
}
