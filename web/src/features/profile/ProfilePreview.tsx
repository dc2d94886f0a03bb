import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Flag } from "#ui/Flag.tsx";
import type { OwnImages } from "./use-own-images.ts";
import styles from "./ProfilePreview.module.css";

/** The own profile as others see it: what is stored and has passed, never what is still being written (rule USER-60). */
export function ProfilePreview({ user, images }: { user: OwnUser; images: OwnImages | undefined }): ReactNode {
  const t = useT();
  const photos = images?.photos.filter((photo) => photo.status === "approved") ?? [];
  return (
    <>
      <div className={styles.hero}>
        {user.avatar === "" ? <UserRound size={96} aria-hidden="true" /> : <img src={user.avatar} alt="" />}
        <div>
          <b dir="auto">{user.nickname}</b>
          <span>
            <Flag src={user.country_flag} widthPx={20} />
            <bdi>{[user.country_name, user.location].filter(Boolean).join(", ")}</bdi>
          </span>
        </div>
      </div>
      {user.about === "" ? (
        <p className={styles.none}>{t("profile.previewNoAbout")}</p>
      ) : (
        <p className={styles.about} dir="auto">
          {user.about}
        </p>
      )}
      {photos.length > 0 && (
        <ul className={styles.photos} aria-label={t("profile.photos")}>
          {photos.map((photo, index) => (
            <li key={photo.id}>
              <img src={photo.thumb} alt={t("photo.name", { n: formatNumber(index + 1) })} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
