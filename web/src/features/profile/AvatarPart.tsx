import { Camera, X } from "lucide-react";
import type { ReactNode } from "react";
import type { OwnImage } from "@fava/wire/images.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button, buttonClass } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { FileButton } from "./FileButton.tsx";
import { refusalReason, uploadProblemText, type UploadState } from "./use-upload.ts";
import { UploadRing } from "./UploadRing.tsx";
import styles from "./Profile.module.css";

/** The user's avatar: the old one stays until the new one is approved. */
export function AvatarPart(props: {
  user: OwnUser;
  /** The newest avatar, while it waits for its review or after its rejection; otherwise null. */
  newest: OwnImage | null;
  upload: UploadState;
  onFile: (file: File) => void;
  onStop: () => void;
  onRemove: () => void;
}): ReactNode {
  const t = useT();
  const { upload, newest } = props;
  const sending = upload.status === "sending";
  return (
    <>
      <div className={styles.picture}>
        <Avatar src={props.user.avatar} name={props.user.nickname} sizePx={136} />
        {sending && <UploadRing percent={upload.percent} label={t("profile.uploading")} />}
      </div>
      <div className={styles.pictureText}>
        {sending ? (
          <Button size="small" pill icon={<X size={18} aria-hidden="true" />} onClick={props.onStop}>
            {t("profile.stop")}
          </Button>
        ) : (
          <FileButton className={buttonClass({ size: "small", pill: true })} onFile={props.onFile}>
            <Camera size={18} aria-hidden="true" />
            {t("profile.change")}
          </FileButton>
        )}
        <small role="status" data-wrong={upload.status === "failed" ? "" : undefined}>
          {upload.status === "failed"
            ? uploadProblemText(t, upload.problem)
            : t(sending ? "profile.newUploading" : "profile.afterCheck")}
        </small>
      </div>
      {newest && !sending && <Newest image={newest} onRemove={props.onRemove} />}
    </>
  );
}

function Newest({ image, onRemove }: { image: OwnImage; onRemove: () => void }): ReactNode {
  const t = useT();
  const refused = image.status === "refused";
  return (
    <div className={styles.newest} data-refused={refused || undefined}>
      <img src={image.thumb} alt={t("profile.newPicture")} width={48} height={48} />
      <p>{refused ? t("profile.newRefused", { reason: refusalReason(t, image) }) : t("profile.newWaiting")}</p>
      <IconButton label={t("profile.newRemove")} icon={<X size={18} aria-hidden="true" />} onClick={onRemove} />
    </div>
  );
}
