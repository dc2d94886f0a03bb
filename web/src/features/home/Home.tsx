import { CircleOff, DoorOpen, User, Video } from "lucide-react";
import type { ReactNode } from "react";
import type { WishedSex } from "@fava/wire/beans.ts";
import { isolate } from "#lib/format.ts";
import { askForAnswer, useReach } from "#lib/connection.ts";
import { useT } from "#lib/i18n.ts";
import { RichText } from "#lib/rich-text.tsx";
import { useUser } from "#lib/session.ts";
import { touchOnlyQuery, useMediaQuery } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { DocumentLink } from "#ui/DocumentLink.tsx";
import { Link } from "#ui/Link.tsx";
import { reachBarId } from "#ui/ReachBar.tsx";
import { Filters } from "./Filters.tsx";
import { Header } from "./Header.tsx";
import { PriceLine } from "./PriceLine.tsx";
import { Stage } from "./Stage.tsx";
import styles from "./Home.module.css";

export interface HomeProps {
  onStart: () => void;
  onSex: (sex: WishedSex) => void;
  /** The three social buttons; they belong to sign-in. */
  socialButtons: ReactNode;
  /** The person's own picture with its devices, in place of the drawn people. */
  preview: ReactNode;
}

/** The home screen, for visitors and for people who are signed in (rules HOME-1, HOME-7). */
export function Home(props: HomeProps): ReactNode {
  const t = useT();
  const user = useUser();
  const hasKeys = !useMediaQuery(touchOnlyQuery);
  const isAway = useReach() !== "fine";
  return (
    <div className={styles.page} data-signed-in={user !== null || undefined}>
      <Header />
      <main className={styles.main}>
        <section className={styles.copy}>
          <h1 className={styles.title}>{user ? t("home.ready", { name: isolate(user.nickname) }) : t("home.title")}</h1>
          <p className={styles.lead}>{t(user ? "home.readyLead" : "home.lead")}</p>
          <div className={styles.card}>
            <Filters onSex={props.onSex} />
            {user && <PriceLine />}
            <Button
              kind="go"
              size="large"
              block
              className={styles.start}
              icon={<Video size={22} fill="currentColor" aria-hidden="true" />}
              aria-disabled={isAway || undefined}
              aria-describedby={isAway ? reachBarId : undefined}
              onClick={isAway ? () => void askForAnswer() : props.onStart}
            >
              {t("home.start")}
            </Button>
            {!user && <PriceLine />}
          </div>
          {!user && (
            <>
              <div className={styles.social}>
                <span>{t("home.signInWith")}</span>
                {props.socialButtons}
              </div>
              <p className={styles.consent}>
                <RichText
                  id="home.consent"
                  tags={{
                    terms: (text) => <DocumentLink href="/userAgreement">{text}</DocumentLink>,
                    privacy: (text) => <DocumentLink href="/privacyPolicy">{text}</DocumentLink>,
                  }}
                />
              </p>
            </>
          )}
        </section>
        {user ? props.preview : <Stage />}
      </main>
      <footer className={styles.foot}>
        <span>
          <User size={18} aria-hidden="true" />
          {t("home.foot.adults")}
        </span>
        <span>
          <CircleOff size={18} aria-hidden="true" />
          {t("home.foot.recorded")}
        </span>
        <span>
          <DoorOpen size={18} className="flip" aria-hidden="true" />
          {t(hasKeys ? "home.foot.leave" : "home.foot.leaveTap")}
        </span>
        <nav aria-label={t("home.foot.more")}>
          <Link to="/safety">{t("home.foot.safety")}</Link>
          <Link to="/aboutUs">{t("home.foot.about")}</Link>
        </nav>
      </footer>
    </div>
  );
}
