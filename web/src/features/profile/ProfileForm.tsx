import { type ReactNode, useId, useRef } from "react";
import { aboutLengthMax, locationLengthMax, nicknameLengthMax } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";
import { LockedField, ProfileField } from "./ProfileField.tsx";
import type { ProfileEdit } from "./use-profile-edit.ts";
import styles from "./Profile.module.css";

/** Name, location and about-me. */
export function ProfileTexts({ user, edit }: { user: OwnUser; edit: ProfileEdit }): ReactNode {
  const t = useT();
  const { draft, problems } = edit;
  return (
    <>
      <div className={styles.two}>
        {user.nickname_next === null ? (
          <ProfileField
            field="nickname"
            label={t("profile.name")}
            remark={t("profile.nameRule")}
            value={draft.nickname}
            lengthMax={nicknameLengthMax}
            problem={problems.nickname}
            onChange={(nickname) => edit.change({ nickname })}
          />
        ) : (
          <LockedField
            label={t("profile.name")}
            value={user.nickname}
            remark={t("profile.nameNext", { day: formatShortDate(user.nickname_next) })}
          />
        )}
        <ProfileField
          field="location"
          label={t("profile.location")}
          remark={t("profile.optional")}
          value={draft.location}
          lengthMax={locationLengthMax}
          problem={problems.location}
          onChange={(location) => edit.change({ location })}
        />
      </div>
      <ProfileField
        field="about"
        label={t("profile.about")}
        hint={t("profile.aboutHint")}
        value={draft.about}
        lengthMax={aboutLengthMax}
        problem={problems.about}
        onChange={(about) => edit.change({ about })}
        long
      />
    </>
  );
}

/** Save, and beside it why it does nothing (rule USER-57). */
export function SaveBar({ edit }: { edit: ProfileEdit }): ReactNode {
  const t = useT();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const isWrong = Object.keys(edit.problems).length > 0;
  const isOff = edit.changes === null || isWrong;
  async function save(): Promise<void> {
    if (isOff) {
      // The first wrong field is where to go on.
      const dialog = button.current?.closest('[role="dialog"]');
      dialog?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    if (await edit.save()) showToast({ type: "success", text: t("profile.saved") });
  }
  const hasFailed = edit.failed !== "no";
  const why = hasFailed
    ? t(edit.failed === "too-soon" ? "refused.nickname_too_soon" : "profile.saveFailed")
    : isWrong
      ? t("profile.wrong")
      : t(edit.changes === null ? "profile.nothing" : "profile.checked");
  return (
    <>
      <p id={id} className={styles.why} data-wrong={hasFailed || isWrong ? "" : undefined} role="status">
        {why}
      </p>
      <Button
        ref={button}
        kind="ink"
        aria-disabled={isOff}
        aria-describedby={id}
        loading={edit.saving}
        onClick={() => void save()}
      >
        {t("profile.save")}
      </Button>
    </>
  );
}
