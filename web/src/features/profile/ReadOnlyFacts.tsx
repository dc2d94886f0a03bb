import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatDay } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { RichText } from "#lib/rich-text.tsx";
import { Flag } from "#ui/Flag.tsx";
import styles from "./Profile.module.css";

/** What cannot be changed, as text with a lock, and why (rule USER-59). */
export function ReadOnlyFacts({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const sexes = { 0: t("profile.notGiven"), 1: t("gender.male"), 2: t("gender.female") } as const;
  return (
    <section className={styles.locked} aria-label={t("profile.facts")}>
      <dl>
        <Fact name={t("profile.gender")} locked>
          {sexes[user.sex]}
        </Fact>
        <Fact name={t("profile.birthday")} locked>
          {user.birthday === "" ? t("profile.notGiven") : formatDay(user.birthday)}
        </Fact>
        <Fact name={t("profile.country")} locked>
          <Flag src={user.country_flag} widthPx={20} />
          {user.country_name}
        </Fact>
        <Fact name={t("profile.number")}>
          <bdi dir="ltr">{user.user_no.replace(/^(\d{4})(\d{4})$/, "$1 $2")}</bdi>
        </Fact>
      </dl>
      <p>
        <RichText
          id="profile.why"
          tags={{
            contact: (text) => (
              <button type="button" className={styles.link} onClick={() => void openOverlay("contact")}>
                {text}
              </button>
            ),
          }}
        />
      </p>
    </section>
  );
}

function Fact({ name, locked, children }: { name: string; locked?: boolean; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {locked && <Lock size={14} aria-hidden="true" />}
      </dd>
    </div>
  );
}
